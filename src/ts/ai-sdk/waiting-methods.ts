/**
 * The methods of a guarded chat before its core is loaded. Most of them add an act that waits (waiting-acts.ts), and
 * load the core.
 */
import { ToolGateError } from '../types/errors.js';
import type { ToolPart } from '../types/index.js';
import { reportUncaught } from '../types/report-uncaught.js';
import { isToolPart } from '../types/tool-part.js';
import type { AttachedChat } from './attach.js';
import type { ChatStore } from './chat-source.js';
import type { ApprovalAnswer, ChatHost, MessageForm, RequestOptions } from './chat-host.js';
import { disposed } from './disposed.js';
import { plain } from './framework-proxies.js';
import { partsOf, toUserMessage } from './send.js';
import type { WaitingActs, WaitingMessage } from './waiting-acts.js';
import { say } from '../types/say.js';

/** The methods of a guarded chat. */
export type ChatMethods = AttachedChat['methods'];

/** Returns the methods of one chat. `owner`: the methods that wait for nothing. */
export function waitingMethods(
  chat: ChatHost,
  store: ChatStore,
  acts: WaitingActs,
  owner: Pick<ChatMethods, 'clearError' | 'dispose'>,
): ChatMethods {
  /** A method whose calls wait. */
  const waiting =
    (name: keyof ChatMethods) =>
    (...args: unknown[]): Promise<void> =>
      acts.add({ name, args });

  function sendMessage(input?: MessageForm | null, options?: RequestOptions): Promise<void> {
    const name = 'sendMessage';
    // Without a message: sends undelivered messages again, or the gate's requests if there are none.
    if (input == null) return acts.add(acts.redeliver() ?? { name, args: [null, options] });
    const form = store.plain(input);
    const user: WaitingMessage = { replaces: form.messageId ?? undefined };
    const complete = (parts: readonly unknown[]): void => {
      user.message = toUserMessage(form, parts, () => chat.generateId());
    };
    const parts = partsOf(form);
    if (!(parts instanceof Promise)) complete(parts);
    else
      user.reading = parts
        .then(complete)
        .catch((error: unknown) => acts.remove(user)?.reject(error))
        .then(() => acts.show());
    acts.redeliver();
    const run = (core: AttachedChat): unknown => {
      const { replaces, isStopped } = user;
      const message = user.message!;
      if (!isStopped) return core.methods.sendMessage({ ...message, messageId: replaces } as MessageForm, options);
      try {
        core.addStopped(message, options, replaces);
      } catch {
        // The gate rejects the message, for example with `onUserMessage: 'block'`. No caller awaits it.
      }
      return undefined;
    };
    return acts.add({ name, args: [], user, run });
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
    await acts.add({ name: 'addToolApprovalResponse', args: [], run: (core) => core.decideAsShown(answer, input) });
  }

  function waitingPart(approvalId: string): ToolPart | undefined {
    const calls = acts.messages.flatMap((message) => {
      const parts: unknown = message?.parts;
      return Array.isArray(parts) ? parts.filter((part) => Object(part) === part && isToolPart(part)) : [];
    });
    const found = calls.findLast(({ approval }) => approval?.id === approvalId);
    return found?.state === 'approval-requested' ? found : undefined;
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
    if (acts.isDisposed) throw disposed();
    const list = store.plain(messages, new Set<unknown>(acts.messages));
    acts.add({ name: 'setMessages', args: [list] }).catch(reportUncaught);
  }

  return {
    ...owner,
    sendMessage,
    regenerate: waiting('regenerate'),
    stop,
    addToolApprovalResponse: decide,
    addToolOutput: waiting('addToolOutput'),
    addToolResult: waiting('addToolOutput'),
    resumeStream: waiting('resumeStream'),
    // No stream was lost.
    '~resumeStreamIfDisconnected': () => Promise.resolve(),
    experimental_removeQueuedMessage: removeQueued,
    experimental_sendQueuedMessageNow: waiting('experimental_sendQueuedMessageNow'),
    setMessages,
  };
}
