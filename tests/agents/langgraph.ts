/** Threads of LangGraph's dev server: what their recordings omit. */
import { expect, test } from 'vitest';
import { deliver, DONE, say } from '../interop/acts';
import type { Rig } from '../interop/rig';
import type { Data } from '../interop/support';
import { openWith, rigOf, type AgentKind, type Connect } from './wire';

/** Fields that no client reads, and that differ between runs. */
const OMITTED =
  /^(response_metadata|usage_metadata|tags|thread_id|assistant_id|graph_id|langgraph_\w+|ls_\w+|run_\w+|created_by|user_id)$/;

/** The threads. */
export const langgraphKind: AgentKind = {
  protocol: 'langgraph',
  folder: 'langgraph-dev',
  endOf: ({ event }) => (event === 'end' || event === 'error' ? { status: 'finished' } : undefined),
  isAnswer: () => false,
  // The server asks before the stream of the run ends.
  asksAbout: Infinity,
  trim: (event) =>
    JSON.parse(JSON.stringify(event, (key, value: unknown) => (OMITTED.test(key) ? undefined : value))) as Data,
};

export const langgraphDev = (connect: Connect): Rig =>
  rigOf(langgraphKind, connect, {
    name: 'LangGraph’s dev server',
    streams: false,
    only: ['approve all', 'deny one with a reason', 'mixed'],
  });

/** `interrupt('Where to?')` in a tool: the user's answer is its value. */
export function testInterrupt(connect: Connect): void {
  test('LangGraph’s dev server: a plain interrupt', async () => {
    const calls = [{ id: 'call-1', tool: 'send', path: '/ask' } as const];
    const session = await openWith(langgraphKind, connect, {}, [{ calls }, DONE]);
    const { gate, prompts } = session;
    try {
      await say(session, 'Book it.');
      const [question] = gate
        .getSnapshot()
        .turn.waitingFor.flatMap((one) => ('toolCallIds' in one ? one.toolCallIds : []));
      gate.addToolOutput(question!, { output: { action: 'accept', content: { answer: 'Oslo' } } });
      await deliver(session);
      expect(session.ran).toEqual(['send Oslo']);
      expect(prompts.at(-1)?.at(-1)).toMatchObject({ kind: 'result', text: 'send Oslo: done' });
      expect([gate.pending(), gate.outgoing(), gate.undelivered()]).toEqual([[], [], []]);
    } finally {
      await session.close?.();
    }
  });
}
