/** The adapter of TanStack AI's client, `ChatClient`, which its React, Solid, Svelte and Vue packages share. */
import { ChatClient, fetchServerSentEvents } from '@tanstack/ai-client';
import type { Data } from '../../interop/support';
import { scenarios, type Adapter, type Client, type OpenOptions, type Scenario, type Shown } from '../kit/src/index';
import { definitions, tanstackServer } from './tanstack-server';
import { versionOf } from './versions';

function open({ id, url }: OpenOptions, stored: Map<string, Data>): Client {
  const chat = new ChatClient({
    id,
    threadId: id,
    connection: fetchServerSentEvents(url),
    tools: definitions,
    // As `localStoragePersistence()`, which needs a browser.
    persistence: {
      getItem: (key: string) => stored.get(key),
      setItem: (key: string, state: Data) => void stored.set(key, JSON.parse(JSON.stringify(state))),
      removeItem: (key: string) => void stored.delete(key),
    },
    onError: () => {},
  } as Data);
  const decide = (approvalId: string, approved: boolean): unknown => {
    const wanted = approvalId.replace('ask-', 'approval_');
    const interrupt: Data = chat.getPendingInterrupts().find((one: Data) => one.interruptId === wanted);
    return interrupt?.resolveInterrupt(approved);
  };
  return {
    send: (text) => chat.sendMessage(text),
    approve: (approvalId) => decide(approvalId, true),
    deny: (approvalId) => decide(approvalId, false),
    stop: () => chat.stop(),
    output: (tool, toolCallId, output) =>
      chat.addToolResult({ tool, toolCallId, output, state: 'output-available' } as Data),
    state: () => ({ isBusy: chat.getIsLoading(), ...shownIn(chat.getMessages() as Data[]) }),
    reload: () => {
      chat.dispose();
      return open({ id, url }, stored);
    },
    close: () => chat.dispose(),
  };
}

function shownIn(messages: readonly Data[]) {
  const parts = messages.flatMap((message) => message.parts as Data[]);
  return {
    texts: parts.flatMap((part) => (part.type === 'text' ? [String(part.content)] : [])),
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? [{ id: String(part.id), state: stateOf(part) }] : [])),
  };
}

function stateOf({ state, output, approval }: Data): Shown {
  if (output?.error === 'User declined tool execution' || output?.approved === false) return 'denied';
  if (state === 'approval-requested') return 'asked';
  if (state === 'approval-responded') return approval?.approved ? 'approved' : 'denied';
  if (state === 'error') return 'failed';
  return state === 'complete' || output !== undefined ? 'executed' : 'open';
}

/** Scenarios in which the client refuses the user's message. `retryInterrupts()` would have to come first. */
const REFUSED: readonly string[] = [
  'earlier-approval',
  'message-while-asked',
  'message-after-half-a-step',
  'message-right-after-approval',
  'error-after-approval',
  'refused-by-a-proxy',
  'lost-decisions',
  'lost-denials',
  'message-after-lost-reply',
];

const REFUSAL = 'it refuses messages, with an error, while an approval is open or was not answered';

/** Why a scenario cannot occur with TanStack AI. */
export function impossible({ server, network = {} }: Scenario): string | undefined {
  const lines = server.flatMap((reply) => reply.lines);
  if (server.some((reply) => reply.settles === false && reply.lines.length > 0))
    return 'its server settles every decision';
  if (server.some(({ hasNewId }) => hasNewId)) return 'its server names the messages';
  if (lines.some((line) => 'providerExecuted' in line)) return 'it has no approvals of calls that the provider runs';
  if (Object.values(network).includes('doubled chunks')) return 'its deltas have no places, so none may arrive twice';
  const asksEarly = server.some((reply) => {
    const asked = reply.lines.findIndex((line) => 'type' in line && line.type === 'tool-approval-request');
    return asked >= 0 && reply.lines.findLastIndex((line) => 'until' in line) > asked;
  });
  return asksEarly ? 'it asks for approvals only at the end of a reply' : undefined;
}

/** The scenarios for which there is a reason, by id. */
export const impossibleScenarios = (reasonOf: (scenario: Scenario) => string | undefined): Record<string, string> =>
  Object.fromEntries(
    scenarios.flatMap((scenario) => {
      const reason = reasonOf(scenario);
      return reason === undefined ? [] : [[scenario.id, reason]];
    }),
  );

/** TanStack AI, with its own server. */
export const tanstackAdapter: Adapter = {
  name: '`ChatClient`',
  versions: { '@tanstack/ai-client': versionOf('@tanstack/ai-client'), '@tanstack/ai': versionOf('@tanstack/ai') },
  options: '`fetchServerSentEvents`, `persistence` in memory, `resolveInterrupt`; `chat()` on the server',
  wire: tanstackServer,
  hasNoReasons: true,
  impossible: impossibleScenarios((scenario) => (REFUSED.includes(scenario.id) ? REFUSAL : impossible(scenario))),
  open: (options) => open(options, new Map()),
};
