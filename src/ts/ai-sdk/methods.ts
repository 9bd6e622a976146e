/**
 * The methods of a chat, by way of the gate. They take what the AI SDK's own take and resolve when those do; what the
 * gate refuses they reject with, as a `ToolGateError`.
 *
 * They are the chat's own properties, so they stand alone: an app may take them off the chat and call them without it.
 */
import { ToolGateError } from '../types/errors.js';
import { isFollowing } from '../gate/internals.js';
import { abortable, AbortedError } from './abortable.js';
import type { Driver } from './driver.js';
import type { Ports } from './exchange.js';
import type { ApprovalAnswer, MessageForm, OutputAnswer, RequestOptions } from './chat-internals.js';
import type { MessageQueue } from './message-queue.js';
import type { Resumer } from './resume.js';
import { partsOf, toUserMessage } from './send.js';

/** What the methods work with. */
interface Machinery extends Ports {
  readonly driver: Driver;
  readonly resumer: Resumer;
  readonly queue: MessageQueue;
  /** Frees what the guard holds. */
  readonly release: () => void;
}

/** All methods that a guard may put in place; a chat gets those that it has. */
export function createMethods({ chat, gate, projection, driver, resumer, queue, release }: Machinery) {
  /** Messages whose files are being read: a stop drops them, and later ones wait their turn. */
  let preparing: { readonly controller: AbortController; readonly done: Promise<unknown> } | undefined;
  let stops = 0;
  let disposal: Promise<void> | undefined;

  /** The parts, after those of messages that were sent before. Nothing if the user stopped meanwhile. */
  async function inTurn(
    parts: readonly unknown[] | Promise<readonly unknown[]>,
  ): Promise<readonly unknown[] | undefined> {
    const before = preparing;
    const controller = before?.controller ?? new AbortController();
    const done = Promise.all([parts, before?.done.catch(() => {})]).then(([own]) => own);
    const mine = { controller, done };
    preparing = mine;
    try {
      return await abortable(done, controller.signal);
    } catch (error) {
      if (error instanceof AbortedError) return undefined;
      throw error;
    } finally {
      if (preparing === mine) preparing = undefined;
    }
  }

  /** Stops what the history is about to be changed under, if the chat has a queue; otherwise the gate says `busy`. */
  async function clearQueue(): Promise<void> {
    if (!queue.isEnabled) return;
    queue.clear();
    if (driver.isSending) await stop();
  }

  /** `sendMessage()` without a message: what has not been delivered or is held goes, else the last message is asked. */
  function goOn(options: RequestOptions | undefined): void {
    if (driver.exchange) {
      throw new ToolGateError(
        'busy',
        'a request is on its way: sendMessage() without a message has to wait for its end',
      );
    }
    const failed = gate.undelivered().at(-1);
    if (failed) {
      driver.give(() => gate.retry(failed.id), { options });
      return;
    }
    driver.give(() => gate.resume(), { options });
    const { status, messages } = gate.getSnapshot();
    if (driver.isBusy || (isFollowing(gate) && status === 'submitted')) return;
    const last = messages.at(-1);
    if (last?.role !== 'user') {
      throw new ToolGateError(
        'unknown-outgoing',
        'sendMessage() without a message sends what is undelivered or held, or asks for a reply to the last user message: there is neither. Use sendMessage(message) or regenerate()',
      );
    }
    driver.give(() => gate.regenerate(), { options, trigger: 'submit-message', messageId: last.id });
  }

  async function sendMessage(input?: MessageForm | null, options?: RequestOptions): Promise<void> {
    if (input == null) {
      goOn(options);
      return driver.settled();
    }
    const form = projection.plain(input);
    const given = partsOf(form);
    const parts = preparing || given instanceof Promise ? await inTurn(given) : given;
    if (parts === undefined) return;
    const { messageId } = form;
    if (messageId != null) {
      await clearQueue();
      const target = gate.getSnapshot().messages.find(({ id }) => id === messageId);
      if (!target) throw new Error(`message with id ${messageId} not found`);
      if (target.role !== 'user') throw new Error(`message with id ${messageId} is not a user message`);
    }
    const message = toUserMessage(form, parts, () => chat.generateId());
    if (queue.isEnabled && messageId == null && (driver.isSending || queue.mustWait)) {
      driver.ask(() => queue.add({ message, options }, driver.isSending));
    } else {
      driver.submit(message, options, messageId);
    }
    await driver.settled();
  }

  async function regenerate({ messageId, ...options }: RequestOptions & { messageId?: string } = {}): Promise<void> {
    await clearQueue();
    driver.give(() => gate.regenerate(messageId === undefined ? undefined : { messageId }), { options });
    await driver.settled();
  }

  async function stop(): Promise<void> {
    if (driver.isDisposed) return disposal;
    stops++;
    preparing?.controller.abort();
    const { exchange } = driver;
    try {
      gate.stop();
    } finally {
      exchange?.abort();
    }
    await Promise.all([exchange?.done, resumer.abort()]);
    queue.pause();
  }

  async function addToolApprovalResponse({ id, approved, reason, options }: ApprovalAnswer): Promise<void> {
    // The answer is for the input that the chat shows: an approval id may come again.
    const inputDigest = gate.pending().find(({ approvalId }) => approvalId === id)?.inputDigest;
    const answer = { approved, ...(reason !== undefined && { reason }), ...(inputDigest && { inputDigest }) };
    driver.give(() => gate.respond(id, answer), { options });
    await driver.decided();
  }

  async function addToolOutput({ toolCallId, state, output, errorText, options }: OutputAnswer): Promise<void> {
    const result = state === 'output-error' ? { errorText: errorText ?? '' } : { output };
    driver.give(() => gate.addToolOutput(toolCallId, projection.plain(result)), { options });
    await driver.decided();
  }

  function dispose(): Promise<void> {
    return (disposal ??= (async () => {
      const stopped = stop();
      driver.dispose();
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
    const own = stops + 1;
    await stop();
    if (own !== stops) return;
    queue.resume();
    void driver.pump();
    await driver.settled();
  }

  return {
    sendMessage,
    regenerate,
    stop,
    addToolApprovalResponse,
    addToolOutput,
    addToolResult: addToolOutput,
    clearError: (): void => projection.clearError(),
    resumeStream: async (options: RequestOptions = {}): Promise<void> => {
      if (!driver.isDisposed) await resumer.resume(options);
    },
    '~resumeStreamIfDisconnected': ({ shouldResume = () => true }: { shouldResume?: () => boolean } = {}) =>
      resumer.resumeIfDisconnected(shouldResume),
    dispose,
    experimental_removeQueuedMessage: (id: string): void => queue.remove(id),
    experimental_sendQueuedMessageNow: sendQueuedMessageNow,
  };
}
