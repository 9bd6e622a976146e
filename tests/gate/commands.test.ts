/**
 * Every command passes the list of interceptors once, in order. Its arguments are plain data, so another tab could
 * execute it.
 */
import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { COMMANDS, type Command, type CommandName, type Interceptor } from '../../src/ts/gate/commands.js';
import { initSync } from '../../src/ts/wasm/init.js';
import { internalsOf } from '../../src/ts/gate/internals.js';
import { ToolGate } from '../../src/ts/gate/tool-gate.js';
import type { Decision, PendingApproval } from '../../src/ts/types/index.js';
import { ask, reply, send, thrownBy } from './support.js';

initSync(readFileSync(new URL('../../pkg/dist/toolgate.wasm', import.meta.url)));

const commandsOf = (gate: ToolGate) => internalsOf(gate)!.commands;

/** A gate whose last reply requested approval of these calls. */
function asking(...calls: string[]): ToolGate {
  const gate = new ToolGate({ chatId: 'chat' });
  gate.sendUserMessage({ text: 'tidy up' });
  send(gate as never);
  reply(gate as never, [
    { type: 'start', messageId: 'a1' },
    { type: 'start-step' },
    ...calls.flatMap((call) => ask(call)),
  ]);
  return gate;
}

it('a logger can be an interceptor of five lines', () => {
  const gate = asking('c1');
  const lines: string[] = [];
  const remove = commandsOf(gate).use('app', (command, next) => {
    const result = next(command);
    const args = command.args.filter((argument) => argument !== undefined).map((argument) => JSON.stringify(argument));
    lines.push(`${command.name}(${args.join()}) -> ${JSON.stringify(result)}`);
    return result;
  });
  gate.respond('approve-c1', { approved: true });
  const [item] = gate.outgoing();
  gate.claim(item!.id);
  remove();
  gate.markSent(item!.id);
  expect(lines).toEqual(['respond("approve-c1",{"approved":true}) -> "accepted"', 'claim("out-2") -> true']);
});

/** A call of each method that is a command, with valid arguments. */
const CALLS: { readonly [N in Exclude<CommandName, 'adopt' | 'ask'>]: (gate: ToolGate) => unknown } = {
  respond: (gate) => gate.respond('approve-c1', { approved: true }),
  respondAll: (gate) => gate.respondAll({ approved: true }),
  extend: (gate) => gate.extend('approve-c1', 5),
  sendUserMessage: (gate) => gate.sendUserMessage({ text: 'hello' }),
  regenerate: (gate) => gate.regenerate(),
  cancel: (gate) => gate.cancel('enough'),
  stop: (gate) => gate.stop(),
  resume: (gate) => gate.resume(),
  addToolOutput: (gate) => gate.addToolOutput('c1', { output: 1 }),
  retry: (gate) => gate.retry('out-1'),
  forget: (gate) => gate.forget('remembered-1'),
  receive: (gate) => gate.receive({ type: 'start' }),
  streamEnded: (gate) => gate.streamEnded({ status: 'finished' }),
  reconnecting: (gate) => gate.reconnecting(),
  load: (gate) => gate.load([]),
  claim: (gate) => gate.claim('out-1'),
  markSent: (gate) => gate.markSent('out-1'),
  markFailed: (gate) => gate.markFailed('out-1', 'offline'),
  tick: (gate) => gate.tick(5),
  free: (gate) => gate.free(),
};

it.each(Object.keys(CALLS) as (keyof typeof CALLS)[])(
  'an interceptor receives %s, and can return another result or refuse it before it is executed',
  (name) => {
    const gate = asking('c1');
    const before = JSON.stringify(gate);
    const seen: Command[] = [];
    const answer = Symbol('the answer');
    const remove = commandsOf(gate).use('app', (command) => {
      seen.push(command);
      return answer;
    });
    expect([undefined, answer]).toContain(CALLS[name](gate));
    expect(seen.map((command) => command.name)).toEqual([name]);
    // The arguments are plain data.
    expect(() => structuredClone(seen[0]?.args)).not.toThrow();
    remove();
    commandsOf(gate).use('app', () => {
      throw new Error('refused');
    });
    expect(thrownBy(() => CALLS[name](gate)).message).toBe('refused');
    expect(JSON.stringify(gate)).toBe(before);
  },
);

it('all other methods are not commands', () => {
  // `__v_skip` prevents Vue from making a proxy; `protocol` is a getter.
  const methods = Object.getOwnPropertyNames(ToolGate.prototype).filter(
    (name) => name !== 'constructor' && name !== '__v_skip' && name !== 'protocol',
  );
  const reads = methods.filter((name) => !Object.hasOwn(COMMANDS, name));
  const gate = asking('c1');
  commandsOf(gate).use('app', (command) => {
    throw new Error(`${command.name} is a command`);
  });
  const before = JSON.stringify(gate);
  for (const name of reads) {
    const method = (gate as unknown as Record<string, (argument: unknown) => unknown>)[name]!.bind(gate);
    method(name === 'assemble' ? 'ai-sdk' : () => Promise.resolve());
  }
  expect(reads.length).toBeGreaterThan(10);
  expect(JSON.stringify(gate)).toBe(before);
});

it('calls interceptors in the order of their places; each may change the command', () => {
  const gate = asking('c1');
  const order: string[] = [];
  const at =
    (place: string): Interceptor =>
    (command, next) => {
      order.push(`${place} ${command.name}`);
      const changed =
        command.name === 'cancel' ? { ...command, args: [`${command.args[0]}, ${place}`] as [string] } : command;
      return next(changed);
    };
  for (const place of ['recorder', 'app', 'persister', 'driver'] as const) commandsOf(gate).use(place, at(place));
  gate.cancel('enough');
  expect(order).toEqual(['app cancel', 'driver cancel', 'persister cancel', 'recorder cancel']);
  const part = gate.getSnapshot().messages[1]?.parts[1] as { outcome?: { reason?: string } };
  expect(part.outcome?.reason).toBe('enough, app, driver, persister, recorder');

  order.length = 0;
  commandsOf(gate).dispatch({ name: 'stop', args: [] }, 'driver');
  expect(order).toEqual(['persister stop', 'recorder stop']);
});

it('an interceptor that is added or removed during a command does not affect that command', () => {
  const gate = asking('c1');
  const seen: string[] = [];
  const removeLate = commandsOf(gate).use('recorder', (command, next) => {
    seen.push('late');
    return next(command);
  });
  const remove = commandsOf(gate).use('driver', (command, next) => {
    remove();
    removeLate();
    commandsOf(gate).use('app', (added, pass) => {
      seen.push('added');
      return pass(added);
    });
    return next(command);
  });
  gate.stop();
  expect(seen).toEqual(['late']);
  gate.stop();
  expect(seen).toEqual(['late', 'added']);
});

it('generates ids and selects approvals before the command is dispatched', () => {
  const gate = asking('c1', 'c2');
  const seen: Command[] = [];
  commandsOf(gate).use('app', (command, next) => {
    seen.push(command);
    return next(command);
  });
  gate.respondAll({ approved: true, where: ({ toolCallId }) => toolCallId === 'c2' });
  gate.respondAll({ approved: false, reason: 'no' });
  gate.sendUserMessage({ text: 'go on' });
  expect(seen.map(({ args }) => args[0])).toEqual([
    { approved: true, where: ['approve-c2'] },
    { approved: false, reason: 'no', where: ['approve-c1'] },
    { text: 'go on', id: expect.any(String) as string },
  ]);
  expect((seen[2]!.args[0] as { id: string }).id).toBe(
    gate.getSnapshot().queued.at(-1)?.id ?? gate.getSnapshot().messages.at(-1)?.id,
  );
});

it('`respondAll` with what was shown is refused if one of the requests is another', () => {
  const gate = asking('c1', 'c2');
  const [first, second] = gate.pending() as [PendingApproval, PendingApproval];
  const where = [first.approvalId, second.approvalId];
  const dispatch = (other: Decision): number =>
    commandsOf(gate).dispatch({
      ...{ name: 'respondAll', args: [{ approved: true, where, shown: [first, { ...second, ...other }] }] },
    });
  const approved = false;
  expect(thrownBy(() => dispatch({ approved, inputDigest: 'another' })).code).toBe('stale-input');
  expect(thrownBy(() => dispatch({ approved, shownRevision: 'another' })).code).toBe('stale-shown');
  expect(gate.pending()).toHaveLength(2);
  expect(dispatch({ approved })).toBe(2);
});
