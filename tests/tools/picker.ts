/** A gate during a reply, and a browser tool that runs until the test ends it. */
import { init, ToolGate, type ToolGateOptions } from 'toolgate';
import { registerTools, type BrowserToolEvent, type RegisterOptions } from 'toolgate/tools';

import { send } from '../gate/support.js';

// Every gate needs the core. (The import of support.js has loaded it already.)
await init();

/** A chunk with a call of `pick`. */
export const called = (id: string, toolName = 'pick', input: unknown = { id }): object => ({
  type: 'tool-input-available',
  toolCallId: id,
  toolName,
  input,
});
/** A chunk that requests the approval of a call. */
export const asked = (id: string): object => ({
  type: 'tool-approval-request',
  toolCallId: id,
  approvalId: `ask-${id}`,
});

/** A gate that has received these chunks of an open reply. */
export function replying(
  chunks: readonly object[],
  options: ToolGateOptions = {},
  gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'], ...options }),
): ToolGate {
  gate.sendUserMessage({ text: 'pick one' });
  send(gate);
  for (const chunk of [{ type: 'start', messageId: 'm' }, { type: 'start-step' }, ...chunks]) gate.receive(chunk);
  return gate;
}

/** Ends the reply. */
export function ends(gate: ToolGate): void {
  gate.receive({ type: 'finish' });
  gate.streamEnded({ status: 'finished' });
}

/** A tool `pick` that runs until the test ends it, with its events. */
export function picker(gate: ToolGate, options: RegisterOptions & { readonly tool?: object } = {}) {
  const { tool, ...rest } = options;
  const runs: {
    id: string;
    signal: AbortSignal;
    progress: (output: unknown) => void;
    ends: (output: unknown) => void;
    fails: (error: unknown) => void;
  }[] = [];
  const events: BrowserToolEvent[] = [];
  const execute = (
    input: { id: string },
    { signal, onProgress }: { signal: AbortSignal; onProgress: (output: unknown) => void },
  ): Promise<unknown> =>
    new Promise((ends, fails) => void runs.push({ id: input.id, signal, progress: onProgress, ends, fails }));
  const dispose = registerTools(
    gate,
    { pick: { execute, ...tool } },
    { onEvent: (event) => void events.push(event), ...rest },
  );
  const kinds = (): string[] =>
    events.map((event) => `${event.type} ${event.toolCallId}${event.type === 'ended' ? ` ${event.how}` : ''}`);
  return { dispose, runs, events, kinds, ran: () => runs.map(({ id }) => id) };
}

/** The states of the last message's calls. */
export const states = (gate: ToolGate): string[] =>
  (gate.getSnapshot().messages.findLast(({ role }) => role === 'assistant')?.parts ?? []).flatMap((part) =>
    'toolCallId' in part ? [`${part.toolCallId} ${part.state}${part.outcome ? ` ${part.outcome.kind}` : ''}`] : [],
  );

/** The results for the model. */
export const resultsIn = (gate: ToolGate): unknown =>
  JSON.parse(JSON.stringify(gate.assemble())).flatMap(
    ({ role, content }: { role: string; content: { type: string; output: unknown }[] }) =>
      role === 'tool' ? content.filter(({ type }) => type === 'tool-result').map(({ output }) => output) : [],
  );
