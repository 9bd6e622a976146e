/** Chats with servers that speak AG-UI: what their recordings omit, and what each does differently. */
import { registerTools } from 'toolgate/tools';
import { expect, test, vi } from 'vitest';
import { asked, BYE, decide, deliver, DONE, REASON, say } from '../interop/acts';
import type { Rig } from '../interop/rig';
import type { Data } from '../interop/support';
import { testQuestion } from './question';
import { openWith, rigOf, type AgentKind, type Connect } from './wire';

/** Fields that no client reads, and that differ between runs. */
const OMITTED = /^(timestamp|usage|createdAt)$/;

const kindOf = (folder: string): AgentKind => ({
  protocol: 'ag-ui',
  folder,
  endOf: ({ type }) => (/^RUN_(FINISHED|ERROR)$/.test(type) ? { status: 'finished' } : undefined),
  isAnswer: () => false,
  trim: (event) =>
    JSON.parse(JSON.stringify(event, (key, value: unknown) => (OMITTED.test(key) ? undefined : value))) as Data,
});

/** Mastra's bridge, `@ag-ui/mastra`. */
export const mastraKind = kindOf('ag-ui-mastra');

export const mastraAgUi = (connect: Connect): Rig =>
  rigOf(mastraKind, connect, {
    name: 'Mastra behind AG-UI',
    streams: false,
    quirks: {
      cancel: {
        why: 'a suspended run that is cancelled never continues, and its memory lacks what the step had not stored',
        gone: ['send /c'],
        untold: ['read /r'],
      },
    },
    only: [
      'approve all',
      'deny one with a reason',
      'deny all',
      'mixed',
      'cancel',
      'a message while approvals are pending',
    ],
  });

/** A tool that suspends with a question. */
export const testMastraQuestion = (connect: Connect): void =>
  testQuestion('Mastra behind AG-UI: a question', mastraKind, connect, 'city');

/** LlamaIndex's server, whose page runs `remove` and `send`. */
export const llamaKind = kindOf('llama-index');

/**
 * Tools of the page that need approval: of two in one step, one is approved and runs, and one is denied. The model
 * reads the result, and the reason.
 */
export function testPageTools(connect: Connect): void {
  const CALLS_OF_PAGE = [
    { id: 'call-1', tool: 'read', path: '/r' },
    { id: 'call-2', tool: 'remove', path: '/a' },
    { id: 'call-3', tool: 'send', path: '/c' },
  ] as const;
  test.each([
    ['approve all', [true, true]],
    ['deny all', [false, false]],
    ['mixed', [true, false]],
  ] as const)('LlamaIndex: %s', async (_, answers) => {
    const options = { browserTools: ['remove', 'send'], needsApproval: () => true };
    const session = await openWith(llamaKind, connect, options, [{ calls: CALLS_OF_PAGE }, DONE, BYE]);
    const { gate, prompts } = session;
    const inPage: string[] = [];
    const run = (path: string, name: string) => (inPage.push(`${name} ${path}`), `${name} ${path}: done`);
    registerTools(gate, {
      remove: { execute: ({ path }: { path: string }) => run(path, 'remove') },
      send: { execute: ({ path }: { path: string }) => run(path, 'send') },
    });
    try {
      await say(session, 'Tidy up.');
      expect(asked(session)).toEqual(['remove /a', 'send /c']);
      for (const [at, call] of ['remove /a', 'send /c'].entries()) decide(session, call, answers[at]!, REASON);
      await vi.waitFor(() => expect(gate.outgoing()).toHaveLength(1));
      await deliver(session);
      const ran = ['remove /a', 'send /c'].filter((_call, at) => answers[at]);
      expect([session.ran, inPage]).toEqual([['read /r'], ran]);
      const read = prompts[1]?.filter(({ kind }) => kind === 'result').map(({ call, text }) => [call, text]);
      expect(read).toEqual([
        ['? call-1', 'read /r: done'],
        ...['remove /a', 'send /c'].map((call, at) => [
          `? call-${at + 2}`,
          answers[at] ? `${call}: done` : expect.stringContaining(REASON),
        ]),
      ]);
      await say(session, 'Thanks.');
      expect(prompts).toHaveLength(3);
      expect([gate.pending(), gate.outgoing(), gate.undelivered(), gate.getSnapshot().status]).toEqual([
        [],
        [],
        [],
        'idle',
      ]);
    } finally {
      await session.close?.();
    }
  });
}
