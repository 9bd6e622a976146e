/**
 * Requests whose ids a connection counts: after a reconnect, and in a page that is opened again, exactly those that the
 * backend lists again are answered. Another process counts from 0 again, so the answer to an earlier request would
 * decide another one, which nobody has seen.
 */
import { ToolGate } from 'toolgate';
import { describe, expect, test } from 'vitest';
import { named } from './all.js';
import { bodiesOf, firstReply } from './first-reply.js';
import type { Data } from './support.js';

const options = ['allow_once', 'reject_once'].map((kind) => ({ optionId: kind, name: kind, kind }));
const at = { threadId: 'chat', turnId: 't' };

/** The request with this number about a call. */
const WIRES = {
  acp: (id, call) => ({
    jsonrpc: '2.0',
    id,
    method: 'session/request_permission',
    params: { options, toolCall: { toolCallId: call, title: 'Remove', rawInput: { path: `/${call}` } } },
  }),
  'claude-agent-sdk': (id, call) => ({
    type: 'control_request',
    request_id: `${id}`,
    request: { subtype: 'can_use_tool', tool_name: 'remove', input: { path: `/${call}` }, tool_use_id: call },
  }),
  codex: (id, call) => ({
    id,
    method: 'item/commandExecution/requestApproval',
    params: { ...at, itemId: call, command: `rm /${call}`, cwd: '/' },
  }),
} satisfies Record<string, (id: number, call: string) => Data>;

type Wire = keyof typeof WIRES;

/** How far the answer to the first request was when its connection ended. */
const ANSWERS = {
  none: () => {},
  ready: (gate) => approve(gate),
  failed(gate) {
    approve(gate);
    gate.markFailed(claimed(gate), 'The connection is closed.');
  },
  'in flight'(gate) {
    approve(gate);
    claimed(gate);
  },
  sent(gate) {
    approve(gate);
    gate.markSent(claimed(gate));
  },
  held(gate) {
    approve(gate);
    gate.stop();
  },
} satisfies Record<string, (gate: ToolGate) => void>;

type Answer = keyof typeof ANSWERS;

const approve = (gate: ToolGate): unknown => gate.respond(gate.pending()[0]!, { approved: true });

function claimed(gate: ToolGate): string {
  const [item] = gate.outgoing();
  gate.claim(item!.id);
  return item!.id;
}

/** A gate whose first connection asked about the call `a` with the id 0, and then ended. */
function reconnected(wire: Wire, answer: Answer, isReload: boolean): { gate: ToolGate; wrong: string[] } {
  const { gate: first, take } = firstReply(wire);
  take(WIRES[wire](0, 'a'));
  ANSWERS[answer](first);
  const saved = JSON.stringify(first);
  first.streamEnded({ status: 'disconnected' });
  const gate = isReload ? ToolGate.restore(JSON.parse(saved), { protocol: named(wire) }) : first;
  const wrong: string[] = [];
  gate.onEvent((event) => event.type === 'anomaly' && wrong.push(event.error.message));
  return { gate, wrong };
}

/** The ids of the requests that the gate answers, also when what failed is sent again. */
function answered(gate: ToolGate): number[] {
  const ids: number[] = [];
  for (let round = 0; round < 9; round++) {
    for (const { id } of gate.undelivered()) gate.retry(id);
    const [item] = gate.outgoing();
    if (!item) break;
    const body: Data = item.body;
    ids.push(Number(body.id ?? body.response?.request_id));
    gate.claim(item.id);
    gate.markSent(item.id);
  }
  return ids;
}

const CASES = (Object.keys(ANSWERS) as Answer[]).flatMap((answer) =>
  [false, true].map((isReload): [Answer, string, boolean] => [
    answer,
    isReload ? 'a page load' : 'a reconnect',
    isReload,
  ]),
);

describe.each(Object.keys(WIRES) as Wire[])('%s', (wire) => {
  const ask = WIRES[wire];

  describe.each(CASES)('the answer was: %s; after %s', (answer, _, isReload) => {
    test('what is not listed again is not answered, and the user can write', () => {
      const { gate } = reconnected(wire, answer, isReload);
      expect([gate.pending(), answered(gate)]).toEqual([[], []]);
      // After an answer, the turn may go on: the message waits for its end, and the user can stop that.
      if (gate.sendUserMessage({ text: 'Go on.' }) === 'queued') {
        expect(gate.getSnapshot().turn.waitingFor).toEqual([{ kind: 'reply' }]);
        gate.stop();
      }
      expect(bodiesOf(gate).map((body) => JSON.stringify(body))).toEqual([expect.stringContaining('Go on.')]);
      const call = gate.getSnapshot().messages.flatMap(({ parts }) => parts as Data[]);
      expect(call.find(({ toolCallId }) => toolCallId)).toMatchObject({ outcome: { kind: 'interrupted' } });
    });

    test.each([0, 7])('listed again as %i, it is asked again and answered once', (id) => {
      const { gate, wrong } = reconnected(wire, answer, isReload);
      gate.receive(ask(id, 'a'));
      expect(answered(gate)).toEqual([]);
      expect(gate.getSnapshot().turn.waitingFor[0]).toMatchObject({ kind: 'user' });
      approve(gate);
      expect(answered(gate)).toEqual([id]);
      expect(gate.getSnapshot().turn.waitingFor.filter(({ kind }) => kind !== 'reply')).toEqual([]);
      expect(wrong).toEqual([]);
    });

    test('another request with its id is asked, and gets its own answer only', () => {
      const { gate, wrong } = reconnected(wire, answer, isReload);
      gate.receive(ask(0, 'b'));
      expect(gate.pending()).toMatchObject([{ toolCallId: 'b' }]);
      expect(answered(gate)).toEqual([]);
      gate.respond(gate.pending()[0]!, { approved: false });
      const bodies = JSON.stringify(bodiesOf(gate));
      expect(bodies).toMatch(/reject_once|deny|decline/);
      expect([answered(gate), wrong]).toEqual([[0], []]);
    });
  });

  test('an answer that fails after its connection has ended is not sent on the next one', () => {
    const { gate, take } = firstReply(wire);
    take(ask(0, 'a'));
    approve(gate);
    const item = claimed(gate);
    gate.streamEnded({ status: 'disconnected' });
    gate.markFailed(item, 'The connection is closed.');
    expect(answered(gate)).toEqual([]);
  });
});
