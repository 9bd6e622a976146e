/**
 * The setup of every bug: a chat of `ai` 6 or 7, with or without `guard`, and its {@link Backend}.
 *
 * The chat is the `Chat` of `@ai-sdk/react`, with default options. The scenarios call the same methods as an app, and
 * read the facts from the backend's record. They run in Node and in a browser.
 */
import { init } from 'toolgate';
import { guard, whenReady } from 'toolgate/ai-sdk';

import type { Message, Part } from '../interop/ai-sdk/peers';
import { Backend, type BackendOptions } from './backend';
import { sdkOf } from './sdk';
import { callName, screenOf, type Actor, type Watch } from './watch';

/** One side of the table: a version of `ai`, with or without `guard`. */
export interface Side {
  readonly name: string;
  readonly version: 6 | 7;
  readonly guarded: boolean;
  /** Whether the chat is created with `experimental_queue: true` (7.0.173 only). */
  readonly queues?: true;
  /** Receives each step of a scenario. */
  readonly watch?: Watch;
}

/**
 * The sides of the table. The two with Toolgate share one column, and the side with the queue is a note below the
 * table.
 */
export const sides: readonly Side[] = [
  { name: 'ai 6.0.326', version: 6, guarded: false },
  { name: 'ai 7.0.173', version: 7, guarded: false },
  { name: 'Toolgate on ai 6.0.326', version: 6, guarded: true },
  { name: 'Toolgate on ai 7.0.173', version: 7, guarded: true },
  { name: 'ai 7.0.173 with experimental_queue', version: 7, guarded: false, queues: true },
];

/** The members of a chat that the scenarios use. Both versions have them, with and without the guard. */
export interface Chat {
  readonly messages: Message[];
  readonly status: string;
  readonly error: Error | undefined;
  sendMessage(message?: { text: string }): Promise<void>;
  addToolApprovalResponse(answer: { id: string; approved: boolean; reason?: string }): Promise<void>;
  addToolOutput(answer: { tool: string; toolCallId: string; output: unknown }): Promise<void>;
  stop(): Promise<void>;
}

/** The options of a scenario, in addition to those of the backend. */
export interface StageOptions extends BackendOptions {
  /** The initial messages. */
  readonly messages?: readonly Message[];
  /** Replaces `lastAssistantMessageIsCompleteWithApprovalResponses`. */
  readonly sendAutomaticallyWhen?: (stock: Predicate) => Predicate | undefined;
}

type Predicate = (state: { messages: never[] }) => boolean | Promise<boolean>;

/** The argument of a scenario's `run`. */
export interface Stage {
  readonly side: Side;
  readonly chat: Chat;
  readonly backend: Backend;
  /** Errors that a method threw or rejected with, by code or name, in order. */
  readonly thrown: string[];
  /** Decides an approval like a button. Errors are recorded in `thrown`. */
  answer(id: string, approved: boolean, reason?: string): Promise<void>;
  /** Sends a user message like a text box. Returns at once; see {@link settled}. */
  send(text: string): void;
  /** `sendMessage()` without a message: the call of a Retry button. */
  retry(): void;
  /** Calls `stop()` of the chat, like a Stop button. */
  stop(): Promise<void>;
  /** Adds a tool output like a browser tool. Errors are recorded in `thrown`. */
  output(tool: string, toolCallId: string, output: unknown): Promise<void>;
  /** Waits a few turns of the event loop, which is enough to send a request, but not to receive a delayed reply. */
  turns(): Promise<void>;
  /** Waits until no request is open, unless the server waits for the user, and nothing has changed for a while. */
  settled(waits?: () => boolean): Promise<void>;
  /** The approval id of a call, as the chat shows it. Throws if the chat shows none. */
  approvalOf(toolCallId: string): string;
  /** The tool part of a call as the chat shows it; the first if there are several. */
  part(toolCallId: string): Part | undefined;
  /** The number of parts in which the chat shows a call. */
  copies(toolCallId: string): number;
  /** Whether the `validateUIMessages` of `ai` accepts the chat's messages in the form that a server would receive. */
  valid(): Promise<boolean>;
}

/** After this many turns of the event loop without a change, a chat may have settled. */
const QUIET = 40;

/** Waits for one turn of the event loop. */
export const macrotask = (): Promise<void> =>
  new Promise((resolve) => (typeof setImmediate === 'function' ? setImmediate(resolve) : setTimeout(resolve)));

/** Sets up one side. */
export async function stage(side: Side, options: StageOptions): Promise<Stage> {
  const { messages = [], sendAutomaticallyWhen = (stock: Predicate) => stock, ...backendOptions } = options;
  const sdk = await sdkOf(side.version);
  const step = (by: Actor, text: string): void =>
    side.watch?.({
      by,
      text,
      requests: backend.requests.length,
      ran: [...backend.ran],
      prompt: backend.saw.at(-1),
      screen: screenOf(chat.messages),
    });
  const backend = new Backend(side.version, backendOptions, step);
  const thrown: string[] = [];
  let ids = 0;
  const bare = new sdk.Chat({
    id: 'chat',
    generateId: () => `id-${ids++}`,
    transport: backend.transport,
    ...(side.queues ? { experimental_queue: true } : {}),
    sendAutomaticallyWhen: sendAutomaticallyWhen(
      sdk.ai.lastAssistantMessageIsCompleteWithApprovalResponses as Predicate,
    ),
    messages: [...messages],
  });
  const chat = (side.guarded ? guard(bare as never) : bare) as unknown as Chat;
  if (side.guarded) {
    await init();
    await whenReady(chat);
  }

  const note = (error: unknown): void => {
    const { code, name } = error as { code?: string; name: string };
    thrown.push(code ?? name);
    step('chat', `throws ${code ?? name}`);
  };
  const parts = (): Part[] => chat.messages.flatMap((message) => message.parts);
  const part = (toolCallId: string): Part | undefined => parts().find((found) => found['toolCallId'] === toolCallId);
  const named = (id: string): string => {
    const asked = parts().find((found) => (found['approval'] as { id?: string } | undefined)?.id === id);
    return asked ? callName(asked) : `the approval “${id}”`;
  };
  return {
    side,
    chat,
    backend,
    thrown,
    part,
    answer: (id, approved, reason) => {
      step('user', `${approved ? 'approves' : 'denies'} ${named(id)}`);
      return Promise.resolve()
        .then(() => chat.addToolApprovalResponse({ id, approved, ...(reason === undefined ? {} : { reason }) }))
        .catch(note);
    },
    output: (tool, toolCallId, output) => {
      step('app', `calls addToolOutput for ${tool}#${toolCallId}`);
      return Promise.resolve()
        .then(() => chat.addToolOutput({ tool, toolCallId, output }))
        .catch(note);
    },
    turns: async () => {
      for (let turn = 0; turn < 30; turn++) await macrotask();
    },
    copies: (toolCallId) => parts().filter((found) => found['toolCallId'] === toolCallId).length,
    valid: async () => {
      const messages = JSON.parse(JSON.stringify(chat.messages));
      return (await sdk.ai.safeValidateUIMessages({ messages })).success;
    },
    retry: () => {
      step('user', 'clicks Retry');
      chat.sendMessage().catch(note);
    },
    send: (text) => {
      step('user', `writes “${text}”`);
      chat.sendMessage({ text }).catch(note);
    },
    stop: () => {
      step('user', 'clicks Stop');
      return chat.stop();
    },
    settled: async (waits = () => false) => {
      let quiet = 0;
      let seen = '';
      for (let turn = 0; quiet <= QUIET && turn < 20_000; turn++) {
        const now = [backend.requests.length, backend.open, chat.status, chat.messages.length].join();
        quiet = now === seen && (backend.open === 0 || waits()) ? quiet + 1 : 0;
        seen = now;
        // Work in other threads takes time, however many turns pass meanwhile.
        if (quiet === QUIET) await new Promise((resolve) => setTimeout(resolve, 20));
        else await macrotask();
      }
      step('chat', `is ${chat.status === 'ready' ? 'ready' : `in the status “${chat.status}”`}`);
    },
    approvalOf: (toolCallId) => {
      const approval = part(toolCallId)?.['approval'] as { id: string } | undefined;
      if (approval === undefined) throw new Error(`the chat shows no approval for ${toolCallId}`);
      return approval.id;
    },
  };
}
