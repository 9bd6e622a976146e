/** Chats with servers that speak AG-UI: what their recordings omit, and what each does differently. */
import { expect, test } from 'vitest';
import { deliver, DONE, say } from '../interop/acts';
import type { Rig } from '../interop/rig';
import type { Data } from '../interop/support';
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
    only: ['approve all', 'deny one with a reason', 'deny all', 'mixed', 'cancel', 'a message while approvals are pending'],
  });

/** A tool that suspends with a question: the user answers one, and declines another. */
export function testMastraQuestion(connect: Connect): void {
  test('Mastra behind AG-UI: a question', async () => {
    const ask = (id: string, path: string) => ({ calls: [{ id, tool: 'send', path } as const] });
    const session = await openWith(mastraKind, connect, {}, [ask('call-1', '/ask'), DONE]);
    const { gate, prompts } = session;
    try {
      await say(session, 'Book it.');
      const [question] = gate.getSnapshot().turn.waitingFor.flatMap((one) => ('toolCallIds' in one ? one.toolCallIds : []));
      gate.addToolOutput(question!, { output: { action: 'accept', content: { city: 'Oslo' } } });
      await deliver(session);
      expect(session.ran).toEqual(['send Oslo']);
      expect(prompts.at(-1)?.at(-1)).toMatchObject({ kind: 'result', text: 'send Oslo: done' });
      expect([gate.pending(), gate.outgoing(), gate.undelivered()]).toEqual([[], [], []]);
      expect(gate.getSnapshot().status).toBe('idle');
    } finally {
      await session.close?.();
    }
  });
}
