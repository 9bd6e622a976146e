/** The number of stored calls depends on the last message, not on the length of the chat. */
import { callsOfStep, ToolGate } from 'toolgate';
import { expect, test } from 'vitest';

import { KnownCalls } from '../../src/ts/tools/known-calls.js';
import { called, ends, replying } from './picker.js';

test('a call is stored until a later message follows it, and a running call until it ends', () => {
  const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
  const known = new KnownCalls<string>();
  gate.onEvent((event) => {
    if (event.type === 'transition') known.transition(event);
  });
  replying([called('c0')], {}, gate);
  ends(gate);
  known.get('c0').run = 'goes on';
  for (let turn = 1; turn < 400; turn++) {
    gate.sendUserMessage({ text: 'again' });
    const [item] = gate.outgoing();
    gate.markSent(item!.id);
    for (const chunk of [
      { type: 'start', messageId: `m${turn}` },
      { type: 'start-step' },
      called(`c${turn}`),
      called(`d${turn}`),
    ])
      gate.receive(chunk);
    ends(gate);
    known.forget(callsOfStep(gate.getSnapshot()));
    expect(known.size).toBeLessThan(100);
    expect([known.get(`c${turn}`).isSeen, known.get(`d${turn}`).isSeen]).toEqual([true, true]);
  }
  expect(known.get('c0').run).toBe('goes on');
  expect(known.get('c1').isSeen).toBe(false);
});
