/**
 * The setup of every bug: a chat of `ai` 6 or 7, with or without `guard`, and its {@link Backend}.
 *
 * The chat is an `AbstractChat` subclass with a state object like that of the framework packages; the scenarios call
 * the same methods as an app, and read the facts from the backend's record.
 */
import * as ai7 from 'ai';
import * as ai6 from 'ai6';
import { init } from 'toolgate';
import { guard } from 'toolgate/ai-sdk';

import type { Message, Part } from '../interop/ai-sdk/peers';
import { Backend, type BackendOptions } from './backend';

/** One side of the table: a version of `ai`, with or without `guard`. */
export interface Side {
  readonly name: string;
  readonly version: 6 | 7;
  readonly guarded: boolean;
  /** Whether the chat is created with `experimental_queue: true` (7.0.173 only). */
  readonly queues?: true;
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
  /** Adds a tool output like a browser tool. Errors are recorded in `thrown`. */
  output(tool: string, toolCallId: string, output: unknown): Promise<void>;
  /** Waits a few turns of the event loop, which is enough to send a request, but not to receive a delayed reply. */
  turns(): Promise<void>;
  /** Waits until no request is open and nothing has changed for a while. */
  settled(): Promise<void>;
  /** The approval id of a call, as the chat shows it. Throws if the chat shows none. */
  approvalOf(toolCallId: string): string;
  /** The tool part of a call as the chat shows it; the first if there are several. */
  part(toolCallId: string): Part | undefined;
  /** The number of parts in which the chat shows a call. */
  copies(toolCallId: string): number;
  /** Whether the `validateUIMessages` of `ai` accepts the chat's messages in the form that a server would receive. */
  valid(): Promise<boolean>;
}

/** The state object that every chat of the framework packages has; `useChat` renders from it. */
class ChatState {
  status = 'ready';
  error: Error | undefined = undefined;
  messages: Message[];
  constructor(messages: readonly Message[]) {
    this.messages = [...messages];
  }
  pushMessage = (message: Message): void => void (this.messages = this.messages.concat(message));
  popMessage = (): void => void (this.messages = this.messages.slice(0, -1));
  replaceMessage = (index: number, message: Message): void => {
    this.messages = [...this.messages.slice(0, index), this.snapshot(message), ...this.messages.slice(index + 1)];
  };
  snapshot = <T>(value: T): T => structuredClone(value);
}

const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Sets up one side. */
export async function stage(side: Side, options: StageOptions): Promise<Stage> {
  const { messages = [], sendAutomaticallyWhen = (stock: Predicate) => stock, ...backendOptions } = options;
  const sdk = (side.version === 7 ? ai7 : ai6) as typeof ai7;
  const backend = new Backend(side.version, backendOptions);
  const thrown: string[] = [];
  let ids = 0;
  class AppChat extends sdk.AbstractChat<never> {
    constructor() {
      super({
        id: 'chat',
        generateId: () => `id-${ids++}`,
        transport: backend.transport as never,
        ...(side.queues ? { experimental_queue: true } : {}),
        sendAutomaticallyWhen: sendAutomaticallyWhen(
          sdk.lastAssistantMessageIsCompleteWithApprovalResponses as Predicate,
        ) as never,
        state: new ChatState(messages) as never,
      });
    }
  }
  const bare = new AppChat();
  if (side.guarded) await init();
  const chat = (side.guarded ? guard(bare as never) : bare) as unknown as Chat;

  const note = (error: unknown): void => {
    const { code, name } = error as { code?: string; name: string };
    thrown.push(code ?? name);
  };
  const parts = (): Part[] => chat.messages.flatMap((message) => message.parts);
  const part = (toolCallId: string): Part | undefined => parts().find((found) => found['toolCallId'] === toolCallId);
  return {
    side,
    chat,
    backend,
    thrown,
    part,
    answer: (id, approved, reason) =>
      Promise.resolve()
        .then(() => chat.addToolApprovalResponse({ id, approved, ...(reason === undefined ? {} : { reason }) }))
        .catch(note),
    output: (tool, toolCallId, output) =>
      Promise.resolve()
        .then(() => chat.addToolOutput({ tool, toolCallId, output }))
        .catch(note),
    turns: async () => {
      for (let turn = 0; turn < 30; turn++) await macrotask();
    },
    copies: (toolCallId) => parts().filter((found) => found['toolCallId'] === toolCallId).length,
    valid: async () => {
      const messages = JSON.parse(JSON.stringify(chat.messages));
      return (await sdk.safeValidateUIMessages({ messages })).success;
    },
    retry: () => void chat.sendMessage().catch(note),
    send: (text) => void chat.sendMessage({ text }).catch(note),
    settled: async () => {
      let quiet = 0;
      let seen = '';
      for (let turn = 0; quiet < 40 && turn < 20_000; turn++) {
        const now = [backend.requests.length, backend.open, chat.status, chat.messages.length].join();
        quiet = now === seen && backend.open === 0 ? quiet + 1 : 0;
        seen = now;
        await macrotask();
      }
    },
    approvalOf: (toolCallId) => {
      const approval = part(toolCallId)?.['approval'] as { id: string } | undefined;
      if (approval === undefined) throw new Error(`the chat shows no approval for ${toolCallId}`);
      return approval.id;
    },
  };
}
