/** Threads of LangGraph's dev server: what their recordings omit. */
import type { Rig } from '../interop/rig';
import type { Data } from '../interop/support';
import { testQuestion } from './question';
import { rigOf, type AgentKind, type Connect } from './wire';

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

/** The threads of an agent with the human-in-the-loop middleware. */
export const reviewedKind: AgentKind = { ...langgraphKind, folder: 'langgraph-dev-middleware' };

export const langgraphDev = (connect: Connect, kind = langgraphKind): Rig =>
  rigOf(kind, connect, {
    name: `LangGraph’s dev server${kind === reviewedKind ? ', middleware' : ''}`,
    streams: false,
    only: ['approve all', 'deny one with a reason', 'mixed'],
  });

/** `interrupt('Where to?')` in a tool: the user's answer is its value. */
export const testInterrupt = (connect: Connect): void =>
  testQuestion('LangGraph’s dev server: a plain interrupt', langgraphKind, connect, 'answer');
