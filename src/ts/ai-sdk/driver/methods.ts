/**
 * The methods of a guarded chat. They have the arguments of the AI SDK's methods, and resolve when those would; they
 * reject with the gate's `ToolGateError`.
 *
 * They do not use `this`, so an app may destructure them from the chat.
 */
import { ToolGateError } from '../../types/errors.js';
import { isFollowing } from '../../gate/internals.js';
import { abortable } from './abortable.js';
import type { Driver } from './driver.js';
import type { Ports } from './exchange.js';
import type { ApprovalAnswer, MessageForm, OutputAnswer, RequestOptions } from '../chat-host.js';
import type { Resumer } from './resume.js';
import type { UserCommands } from './user-commands.js';
import { partsOf, toUserMessage } from '../send.js';
import { digest } from '../../json/digest.js';
import { randomId } from '../../json/random-id.js';
import type { GateMessage } from '../../types/index.js';
import { say } from '../../types/say.js';

/**
 * Creates all methods that a guard may replace. A chat gets only those that it had. `release` frees the gate and ends
 * the subscriptions.
 */
export function createMethods(
  { chat, gate, projection }: Ports,
  driver: Driver,
  resumer: Resumer,
  userCommands: UserCommands,
  release: () => void,
) {
  const { queue } = driver;
  /** Messages whose files are being read. A stop discards them, and later messages wait for them. */
  let preparing: Promise<unknown> | undefined;
  let disposal: Promise<void> | undefined;

  /** Resolves with the parts after earlier messages are ready. Undefined if the user stopped meanwhile. */
  async function inTurn(
    parts: readonly unknown[] | Promise<readonly unknown[]>,
  ): Promise<readonly unknown[] | undefined> {
    const before = preparing?.catch(() => {});
    const done = Promise.all([parts, before]).then(([own]) => own);
    preparing = done;
    const { signal } = userCommands.stopping;
    try {
      return await abortable(done, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      if (preparing === done) preparing = undefined;
    }
  }

  /**
   * Called before the history changes: if the chat has a queue, clears it and stops the current request. Without a
   * queue the gate throws `busy` instead.
   */
  async function clearQueue(): Promise<void> {
    if (!queue.isEnabled) return;
    queue.clear();
    if (driver.isSending) await stop();
  }

  /**
   * `sendMessage()` without a message: sends undelivered or held items, otherwise requests a reply to the last message.
   */
  function resumeSending(options: RequestOptions | undefined): void {
    if (driver.exchange) {
      throw new ToolGateError(
        'busy',
        say`A request is in flight. Call sendMessage() without a message after it has ended.`,
      );
    }
    const failed = gate.undelivered().at(-1);
    userCommands.withOptions(() => (failed ? gate.retry(failed.id) : gate.resume()), { options });
    if (failed) return;
    const { status, messages } = gate.getSnapshot();
    if (driver.isBusy || (isFollowing(gate) && status === 'submitted')) return;
    const last = messages.at(-1);
    if (last?.role !== 'user') {
      throw new ToolGateError(
        'unknown-outgoing',
        say`Nothing to send without a message: no undelivered or held request, and no user message at the end. Call
          sendMessage(message) or regenerate().`,
      );
    }
    userCommands.withOptions(() => gate.regenerate(), {
      options,
      trigger: 'submit-message',
      messageId: last.id,
    });
  }

  /** Whether a message with this id is shown or queued. */
  function isShown(id: string): boolean {
    return [...projection.messages, ...projection.queued].some((message) => message.id === id);
  }

  /**
   * Adds a user message whose id another message has: under another id, as undelivered, because the app and its server
   * would take it for the other one. The next act of the user sends it.
   */
  function keepUnsent(message: GateMessage, options: RequestOptions | undefined): void {
    const unique = { ...message, id: randomId() };
    // The leader tab sends it.
    if (isFollowing(gate)) return userCommands.submit(unique, options);
    const error = new ToolGateError(
      'malformed-event',
      say`Another message has the id "${message.id}", so this one was not sent. It was given a new id: send it again with
        sendMessage(). If the option \`generateId\` counts, let it continue after the ids of the loaded messages.`,
    );
    userCommands.addUnsent(unique, options, undefined, error.message);
    chat.onError?.(error);
    projection.close({ error });
    projection.publish();
  }

  function addStopped({ messageId, ...message }: MessageForm, options?: RequestOptions): void {
    // A follower tab adds nothing: the leader tab would send the message.
    if (isFollowing(gate)) return;
    try {
      userCommands.addUnsent(message as GateMessage, options, messageId, 'stopped before it was sent');
    } catch {
      // The gate rejects the message, for example with `onUserMessage: 'block'`. No caller awaits it.
    }
  }

  async function sendMessage(input?: MessageForm | null, options?: RequestOptions): Promise<void> {
    if (input == null) {
      resumeSending(options);
      return driver.settled();
    }
    const form = projection.plain(input);
    const formParts = partsOf(form);
    const parts = preparing || formParts instanceof Promise ? await inTurn(formParts) : formParts;
    if (parts === undefined) return;
    const { messageId } = form;
    if (messageId != null) {
      await clearQueue();
      const target = gate.getSnapshot().messages.find(({ id }) => id === messageId);
      if (!target) throw new Error(say`message with id ${messageId} not found`);
      if (target.role !== 'user') throw new Error(say`message with id ${messageId} is not a user message`);
    }
    const message = toUserMessage(form, parts, () => chat.generateId());
    if (messageId == null && isShown(message.id)) return keepUnsent(message, options);
    if (queue.isEnabled && messageId == null && (driver.isSending || queue.mustWait)) {
      driver.requestByUser(() => queue.add({ message, options }, driver.isSending));
    } else {
      userCommands.submit(message, options, messageId);
    }
    await driver.settled();
  }

  async function regenerate({ messageId, ...options }: RequestOptions & { messageId?: string } = {}): Promise<void> {
    await clearQueue();
    userCommands.withOptions(() => gate.regenerate({ messageId }), {
      options,
    });
    await driver.settled();
  }

  async function stop(): Promise<void> {
    await (driver.isDisposed ? disposal : userCommands.stop());
  }

  /** Decides an approval. `inputDigest` binds the decision to the shown input, because approval ids can repeat. */
  async function decide({ id, approved, reason, options }: ApprovalAnswer, inputDigest?: string): Promise<void> {
    const answer = { approved, ...(reason !== undefined && { reason }), ...(inputDigest && { inputDigest }) };
    userCommands.withOptions(() => gate.respond(id, answer), { options });
    await driver.decided();
  }

  async function addToolApprovalResponse(answer: ApprovalAnswer): Promise<void> {
    await decide(answer, gate.pending().find(({ approvalId }) => approvalId === answer.id)?.inputDigest);
  }

  async function addToolOutput({ toolCallId, state, output, errorText, options }: OutputAnswer): Promise<void> {
    const result = state === 'output-error' ? { errorText: errorText ?? '' } : { output };
    userCommands.withOptions(() => gate.addToolOutput(toolCallId, projection.plain(result)), { options });
    await driver.decided();
  }

  function dispose(): Promise<void> {
    return (disposal ??= (async () => {
      const stopped = stop();
      driver.isDisposed = true;
      queue.clear();
      try {
        await stopped;
      } finally {
        release();
        chat.transport.close?.();
      }
    })());
  }

  async function sendQueuedMessageNow(id: string): Promise<void> {
    if (!queue.putFirst(id)) return;
    const stopped = stop();
    const { signal } = userCommands.stopping;
    await stopped;
    if (signal.aborted) return;
    queue.resume();
    void driver.pump();
    await driver.settled();
  }

  return {
    sendMessage,
    regenerate,
    stop,
    addToolApprovalResponse,
    /** Decides an approval for the input that was shown when the user decided, before there was a gate. */
    addToolDecision: (answer: ApprovalAnswer, input: unknown): Promise<void> => decide(answer, digest(input)),
    /** Adds a user message that was stopped before it could be sent: it is undelivered, as after a failed request. */
    addStopped,
    addToolOutput,
    addToolResult: addToolOutput,
    clearError: (): void => projection.clearError(),
    resumeStream: async (options: RequestOptions = {}): Promise<void> => {
      if (!driver.isDisposed) await resumer.resume(options);
    },
    '~resumeStreamIfDisconnected': ({ shouldResume = () => true }: { shouldResume?: () => boolean } = {}) =>
      resumer.resumeIfDisconnected(shouldResume),
    dispose,
    isBusy: (): boolean => preparing !== undefined || driver.isBusy || gate.outgoing().length > 0 || queue.isReady(),
    setMessages: (messages: readonly unknown[]): void => projection.load(messages),
    experimental_removeQueuedMessage: (id: string): void => queue.remove(id),
    experimental_sendQueuedMessageNow: sendQueuedMessageNow,
  };
}
