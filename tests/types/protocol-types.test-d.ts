/** Checks that a gate is typed by its protocol. Only `tsc` checks this file; it does not run. */
import { expectTypeOf } from 'vitest';
import { ToolGate } from '../../src/ts/gate/tool-gate.js';
import { defineProtocol } from '../../src/ts/protocols/shared/define-protocol.js';
import type { GateMessage, Protocol, SavedGate } from '../../src/ts/types/index.js';

interface Body {
  readonly messages: readonly Message[];
}
interface Event {
  readonly type: 'text' | 'end';
}
interface Message {
  readonly from: string;
}
declare const saved: SavedGate;
declare const event: Event;
declare const message: Message;

const mine = defineProtocol({
  name: 'mine',
  capabilities: { kind: 'answering' },
  createReader: () => (given: Event) => given.type === 'end',
  write: (): Message[] => [],
  body: (): Body => ({ messages: [] }),
  answer: ({ approvalId }) => ({ approvalId }),
});
expectTypeOf(mine).toEqualTypeOf<Protocol<Body | { approvalId: string }, Event, Message>>();

// With a protocol, the gate takes and returns what that protocol declares.
const gate = new ToolGate({ protocol: mine });
gate.receive(event);
// @ts-expect-error
gate.receive({ type: 'other' });
gate.load([message]);
gate.load([] as GateMessage[]);
// @ts-expect-error
gate.load([{ to: 'me' }]);
expectTypeOf(gate.outgoing()[0]?.body).toEqualTypeOf<Body | { approvalId: string } | undefined>();
expectTypeOf(gate.assemble()).toEqualTypeOf<Message[]>();
expectTypeOf(ToolGate.restore(saved, { protocol: mine }).assemble()).toEqualTypeOf<Message[]>();
expectTypeOf(gate.assemble('ai-sdk')).toEqualTypeOf<unknown[]>();
expectTypeOf(gate.protocol.name).toBeString();

// Without one, or with one of no declared types, everything is unknown, as in a gate of any protocol.
const plain = new ToolGate();
plain.receive('anything');
plain.load(['anything']);
expectTypeOf(plain.outgoing()[0]?.body).toBeUnknown();
expectTypeOf(plain.assemble()).toEqualTypeOf<unknown[]>();
expectTypeOf(plain.assemble(mine)).toEqualTypeOf<Message[]>();
expectTypeOf(gate).toExtend<ToolGate>();
expectTypeOf(mine).toExtend<Protocol>();
