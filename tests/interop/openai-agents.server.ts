/**
 * A server around the OpenAI Agents SDK, which is shown in docs/backends/openai-agents.md: it receives the requests
 * that the codec `openai-agents` writes, and sends the events that the codec reads. `chats` is the server's database.
 */
import { run, RunState, type Agent, type AgentInputItem, type RunToolApprovalItem } from '@openai/agents';

/** The body of the codec's requests. */
export interface Posted {
  readonly chatId: string;
  readonly input?: AgentInputItem[];
  readonly decisions?: { callId: string; approve: boolean; message?: string }[];
}

/** The id that a decision names. */
const idOf = ({ rawItem }: RunToolApprovalItem): string => ('callId' in rawItem ? rawItem.callId : (rawItem.id ?? ''));

// docs:start
/** The last run of each chat. Two at once would begin with the same state, and run approved tools twice. */
const runs = new Map<string, Promise<void>>();

/**
 * Yields the events of the reply, which the server sends as JSON. Read it to its end, also if the client is gone: the
 * chat is stored then. Throws before the first event if the request does not answer the chat's pending approvals.
 */
export async function* reply(
  agent: Agent,
  chats: Map<string, { history: AgentInputItem[]; state: string }>,
  { chatId, input = [], decisions }: Posted,
) {
  const earlier = runs.get(chatId);
  let end = () => {};
  runs.set(chatId, new Promise((resolve) => (end = resolve)));
  await earlier;
  try {
    const { history, state } = chats.get(chatId) ?? { history: [], state: '' };
    const from = decisions ? await RunState.fromString(agent, state) : [...history, ...input];
    for (const item of from instanceof RunState ? from.getInterruptions() : []) {
      const decision = decisions?.find(({ callId }) => callId === idOf(item));
      if (!decision) throw new Error(`no decision for ${idOf(item)}`);
      const { approve, message } = decision;
      if (approve) (from as RunState<unknown, Agent>).approve(item);
      else (from as RunState<unknown, Agent>).reject(item, message === undefined ? {} : { message });
    }
    const result = await run(agent, from, { stream: true });
    try {
      yield* result;
      await result.completed;
    } catch (error) {
      yield { type: 'error', message: String(error) };
    }
    // Only the state contains the waiting calls. The history has the rest of their turn, in case the user cancels them.
    chats.set(chatId, { history: result.history, state: result.state.toString() });
  } finally {
    end();
  }
}
// docs:end
