/** Browser tools with reloads and tabs: a call that may have run does not run again, and only one tab runs it. */
import { ToolGate } from 'toolgate';
import { expect, test } from 'vitest';

import { until } from '../lib/waiting.js';
import { freshName, persistGate, latch, MemoryStorage, quiet, tab } from '../persist/support.js';
import { chatOn } from '../seeds/app.js';
import { asked, called, ends, picker, replying } from './picker.js';

/** A gate after a reload of the page. */
const reloaded = (gate: ToolGate): ToolGate =>
  ToolGate.restore(JSON.parse(JSON.stringify(gate)), { browserTools: ['pick'] });

test('a call that may have run does not run again; a call that is approved later runs', async () => {
  const before = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
  const { ran } = picker(before);
  replying([called('c1'), asked('c1'), called('c2'), asked('c2'), called('c3')], {}, before);
  ends(before);
  before.respond('ask-c1', { approved: true });
  await quiet();
  expect(ran()).toEqual(['c3', 'c1']);
  const gate = reloaded(before);
  const after = picker(gate);
  await quiet();
  expect([after.ran(), after.kinds()]).toEqual([[], ['interrupted c1', 'interrupted c3']]);
  gate.respond('ask-c2', { approved: true });
  await quiet();
  expect(after.ran()).toEqual(['c2']);
  gate.addToolOutput('c1', { errorText: 'unknown' });
  after.dispose.retry('c3');
  await quiet();
  expect(after.ran()).toEqual(['c2', 'c3']);
  for (const run of after.runs) run.ends('ok');
  await quiet();
  expect(gate.outgoing()).toHaveLength(1);
});

test('two tabs: the leader runs the call, whichever tab decided it', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const one = await tab(name, storage, { browserTools: ['pick'] });
  const first = picker(one.gate);
  replying([called('c1'), asked('c1')], {}, one.gate);
  ends(one.gate);
  await one.persisted.flush();
  const other = await tab(name, storage, { browserTools: ['pick'] });
  const second = picker(other.gate);
  await until(() => other.gate.pending().length === 1);
  expect([one.persisted.state === 'leader', other.persisted.state === 'leader']).toEqual([true, false]);
  other.gate.respond('ask-c1', { approved: true });
  await until(() => first.runs.length === 1);
  await quiet();
  expect([second.ran(), second.kinds()]).toEqual([[], []]);

  // The running tab is closed: the other tab becomes the leader and does not run the call again.
  one.persisted.close();
  await until(() => other.persisted.state === 'leader');
  await quiet();
  expect([second.ran(), second.kinds()]).toEqual([[], ['interrupted c1']]);
  other.gate.addToolOutput('c1', { errorText: 'unknown' });
  expect(other.gate.outgoing()).toHaveLength(1);
});

test('a call starts when its approval is stored, not before', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const { gate, persisted } = await tab(name, storage, { browserTools: ['pick'] });
  const { ran } = picker(gate);
  replying([called('c1'), asked('c1')], {}, gate);
  ends(gate);
  await persisted.flush();
  const held = latch();
  storage.hold = held.opened;
  gate.respond('ask-c1', { approved: true });
  await quiet();
  expect(ran()).toEqual([]);
  held.open();
  await until(() => ran().length === 1);
  const found = await tab(`${name}'`, storage.copyOf(name, `${name}'`), { browserTools: ['pick'] });
  const after = picker(found.gate);
  await quiet();
  expect([found.gate.pending(), after.kinds()]).toEqual([[], ['interrupted c1']]);
});

test('tools registered before a restore behave like those registered after it', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const before = await tab(name, storage, { browserTools: ['pick'] });
  replying([called('c1'), asked('c1'), called('c2'), asked('c2')], {}, before.gate);
  ends(before.gate);
  before.gate.respond('ask-c1', { approved: true });
  await before.persisted.flush();
  const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
  const { ran, kinds } = picker(gate);
  await persistGate(gate, `${name}'`, storage.copyOf(name, `${name}'`));
  await until(() => kinds().length > 0);
  expect([ran(), kinds()]).toEqual([[], ['interrupted c1']]);
  gate.respond('ask-c2', { approved: true });
  await until(() => ran().length > 0);
  expect(ran()).toEqual(['c2']);
});

test.each([6, 7] as const)('in a guarded chat of ai %i: the server’s model reads the result', async (version) => {
  const { chat, gate, backend, settled } = chatOn(
    version,
    { model: [{ calls: [{ id: 'c1', tool: 'pick' }] }, { text: 'Seven it is.' }] },
    { browserTools: ['pick'] },
  );
  const { runs } = picker(gate);
  await chat.sendMessage({ text: 'pick one' });
  await quiet();
  runs[0]?.ends(7);
  await settled();
  expect(backend.saw[1]).toEqual(['user: pick one', 'call pick#c1', 'result c1: json 7']);
  expect(chat.messages.at(-1)?.parts.at(-1)).toMatchObject({ text: 'Seven it is.' });
});
