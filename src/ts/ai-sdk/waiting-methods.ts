/**
 * The methods of a guarded chat before its core is loaded. Most of them add an act that waits (waiting-acts.ts), and
 * load the core.
 */
import { ToolGateError } from '../types/errors.js';
import type { GateMessage, ToolPart } from '../types/index.js';
import { reportUncaught } from '../types/report-uncaught.js';
import { isToolPart } from '../types/tool-part.js';
import type { AttachedChat } from './attach.js';
import type { ChatStore } from './chat-source.js';
import type { ApprovalAnswer, ChatHost, MessageForm, OutputAnswer, RequestOptions } from './chat-host.js';
import { plain } from './framework-proxies.js';
import { partsOf, toUserMessage } from './send.js';
import type { WaitingActs, WaitingMessage } from './waiting-acts.js';
import { say } from '../types/say.js';

/** The methods of a guarded chat. */
export type ChatMethods = AttachedChat['methods'];

/** The functions of the chat that its methods call. */
interface MethodsOwner {
  /** Removes the error, as `clearError` of the chat does. */
  readonly clearError: () => void;
  /** Ends the chat. */
  readonly dispose: () => Promise<void>;
  /** The error of all methods of a disposed chat. */
  readonly disposed: () => Error;
}

/** Returns the methods of one chat. */
export function waitingMethods(chat: ChatHost, store: ChatStore, acts: WaitingActs, owner: MethodsOwner): ChatMethods {
  function sendMessage(input: MessageForm, options: RequestOptions | undefined): Promise<void> {
    const form = store.plain(input);
    const user: WaitingMessage = { replaces: form.messageId ?? undefined, options };
    const complete = (parts: readonly unknown[]): void => {
      user.message = toUserMessage(form, parts, () => chat.generateId());
    };
    const parts = partsOf(form);
    if (!(parts instanceof Promise)) {
      complete(parts);
      return addMessage(user);
    }
    const prepared = parts.then(complete).then(
      () => acts.show(),
      (error: unknown) => {
        acts.remove(user)?.reject(error);
        acts.show();
      },
    );
    return addMessage(user, prepared);
  }

  function addMessage(user: WaitingMessage, prepared?: Promise<void>): Promise<void> {
    for (const earlier of acts.users) earlier.isUndelivered = false;
    const run = (core: AttachedChat): unknown => {
      const { message, replaces, options, isStopped } = user as WaitingMessage & { message: GateMessage };
      if (!isStopped) return core.methods.sendMessage({ ...message, messageId: replaces } as MessageForm, options);
      try {
        core.addStopped(message, options, replaces);
      } catch {
        // The gate rejects the message, for example with `onUserMessage: 'block'`. No caller awaits it.
      }
      return undefined;
    };
    return acts.add({ user, isRequest: true, run, ...(prepared && { prepared }) }, 'always');
  }

  /** `sendMessage()` without a message: sends undelivered messages again, or the gate's requests if there are none. */
  function sendAgain(options: RequestOptions | undefined): Promise<void> {
    const result = acts.redeliver();
    const isRequest = result === undefined;
    const run = ({ methods }: AttachedChat): unknown => (result ? result() : methods.sendMessage(null, options));
    return acts.add({ isRequest, run }, 'always');
  }

  async function stop(): Promise<void> {
    for (const user of acts.users) if (user.message && !user.isUndelivered) user.isStopped = true;
    acts.drop(
      new ToolGateError(
        'not-initialized',
        say`stop() dropped this before the core was loaded: nothing was decided. Call it again.`,
      ),
    );
  }

  async function decide(answer: ApprovalAnswer): Promise<void> {
    const part = waitingPart(answer.id);
    if (!part) {
      throw new ToolGateError(
        'unknown-approval',
        say`No approval request "${String(answer.id)}" is shown. Pass the \`approval.id\` of a part that waits.`,
        { approvalId: answer.id },
      );
    }
    // A copy, so that the decision is bound to the shown input, even if the app changes its object.
    const input = plain(part.input);
    await acts.add({ mustBeKnown: true, run: (core) => core.decideAsShown(answer, input) });
  }

  function waitingPart(approvalId: string): ToolPart | undefined {
    const calls = acts.messages.flatMap((message) => {
      const parts: unknown = message?.parts;
      return Array.isArray(parts) ? parts.filter((part) => Object(part) === part && isToolPart(part)) : [];
    });
    const found = calls.findLast(({ approval }) => approval?.id === approvalId);
    return found?.state === 'approval-requested' ? found : undefined;
  }

  function addOutput(answer: OutputAnswer): Promise<void> {
    return acts.add({ mustBeKnown: true, run: ({ methods }) => methods.addToolOutput(answer) });
  }

  function removeQueued(id: string): void {
    if (!acts.queued.some((message) => message.id === id)) return;
    const user = acts.users.find(({ message }) => message?.id === id);
    if (user) acts.remove(user)?.resolve(undefined);
    acts.show();
  }

  function setMessages(messages: readonly unknown[]): void {
    if (!Array.isArray(messages)) {
      throw new TypeError(say`messages: expected an array. Check \`response.ok\` first.`);
    }
    if (acts.isDisposed) throw owner.disposed();
    const list = store.plain(messages, new Set<unknown>(acts.messages));
    acts.add({ list, run: ({ methods }) => methods.setMessages(list) }, 'never').catch(reportUncaught);
  }

  return {
    sendMessage: (input, options) => (input == null ? sendAgain(options) : sendMessage(input, options)),
    regenerate: (options) => acts.add({ isRequest: true, run: ({ methods }) => methods.regenerate(options) }),
    stop,
    addToolApprovalResponse: decide,
    addToolOutput: addOutput,
    addToolResult: addOutput,
    clearError: owner.clearError,
    resumeStream: (options) => acts.add({ run: ({ methods }) => methods.resumeStream(options) }),
    // No stream was lost.
    '~resumeStreamIfDisconnected': () => Promise.resolve(),
    dispose: owner.dispose,
    experimental_removeQueuedMessage: removeQueued,
    experimental_sendQueuedMessageNow: (id) =>
      acts.add({ run: ({ methods }) => methods.experimental_sendQueuedMessageNow(id) }),
    setMessages,
  };
}
