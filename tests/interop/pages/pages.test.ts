/**
 * The code of every page in docs/backends/ runs word for word, against the backend of its rig: a message is sent, one
 * call is denied with a reason, another is approved, and the backend runs and reads exactly that.
 */
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { blocksOf } from '../../docs/support/blocks.js';
import { until } from '../../docs/support/world.js';
import { capabilitiesOf, PROTOCOL_NAMES, type ProtocolName } from '../../protocols/all.js';
import { DENIED, DONE, REASON } from '../acts';
import type { Reply } from '../rig';
import { done } from '../support';
import { openPage } from './page';
import { others, places } from './places';

const REPLIES: readonly Reply[] = [
  { calls: [{ id: 'call-3', tool: 'remove', path: '/b' }] },
  { calls: [{ id: 'call-4', tool: 'send', path: '/c' }] },
  DONE,
];

afterEach(() => vi.unstubAllEnvs());

const ALL = [...PROTOCOL_NAMES.map((name) => [name, '', places[name]] as const), ...others];

test.each(ALL)('docs/backends/%s.md %s', async (protocol, _, open) => {
  const place = await open(REPLIES);
  onTestFinished(() => place.close?.());
  const gate = await openPage(`backends/${protocol}`, place.addresses, place.modules);
  const { kind, reason } = capabilitiesOf(protocol);
  const [asked, ran]: [string[], string[]] = [[...(place.asked ?? [])], []];
  const nameOf = place.nameOf ?? (({ toolName, input }) => `${toolName} ${Object(input).path}`);

  gate.sendUserMessage({ text: 'Tidy up.' });
  await until(() => {
    expect(gate.undelivered()).toEqual([]);
    for (const approval of gate.pending()) {
      const name = nameOf(approval);
      asked.push(name);
      const approved = name !== 'remove /b';
      gate.respond(approval.approvalId, approved ? { approved } : { approved, reason: REASON });
      if (kind !== 'raw-model' || !approved) continue;
      ran.push(name); // no agent runs it
      gate.addToolOutput(approval.toolCallId, { output: done(...(name.split(' ') as [string, string])) });
    }
    const { messages, turn } = gate.getSnapshot();
    return turn.status === 'done' && JSON.stringify(messages.at(-1)).includes('Done.');
  });
  await place.look?.();
  ran.push(...place.ran);

  // The recorded agents asked about one more call.
  const more = asked.includes('remove /a') ? ['remove /a'] : [];
  expect([...asked, ...(place.asked ?? [])].sort()).toEqual([...more, 'remove /b', 'send /c']);
  expect(ran.filter((name) => name !== 'read /r').sort()).toEqual([...more, 'send /c']);
  const told = place.told();
  expect(told).toContain('Tidy up.');
  expect(told).toContain(protocol === 'codex' ? 'send /c' : 'send /c: done');
  expect(told).toMatch(reason ? REASON : DENIED);
  expect(told.includes(REASON)).toBe(reason);
  expect([gate.outgoing(), gate.undelivered(), gate.pending()]).toEqual([[], [], []]);
});

/** The files of a page's app: src/thread.ts is imported, and tests/docs/a2a.test.ts runs src/agent.ts. */
const FILES = ['src/agent.ts', 'src/chat.ts', 'src/server.ts', 'src/thread.ts'];
/** The number of a page's blocks that are parts of a file: other tests run these, or compile them. */
const PARTS: Partial<Record<ProtocolName, number>> = { 'ag-ui': 1, codex: 2, 'openai-agents': 1 };

test.each(PROTOCOL_NAMES)('docs/backends/%s.md has no code that does not run', (protocol) => {
  const blocks = blocksOf(`docs/backends/${protocol}.md`).filter(({ lang }) => lang !== 'json' && lang !== 'sh');
  expect(FILES).toEqual(expect.arrayContaining(blocks.flatMap(({ file }) => file ?? [])));
  expect(blocks.filter(({ file }) => file === undefined)).toHaveLength(PARTS[protocol] ?? 0);
});
