/**
 * The acts of a guarded chat, the calls of its methods, before its core is loaded. They wait and then run in call
 * order. User messages and `messages = …` are shown at once; decisions are not, because only the gate can accept them.
 *
 * The class has the methods that do more than wait. This file imports only types of the core.
 */
import { NONE } from '../../types/empty-list.js';
import { ToolGateError } from '../../types/errors.js';
import type { GateMessage, ToolPart } from '../../types/index.js';
import { guarded, reportUncaught } from '../../types/report-uncaught.js';
import { say } from '../../types/say.js';
import type { ApprovalAnswer, ChatHost, ChatStatus, MessageForm, RequestOptions } from '../chat-host.js';
import type { AttachedChat } from '../driver/attach.js';
import { partsOf, toUserMessage } from '../send.js';
import { plain, type ChatSource, type ViewStore } from './view-store.js';

/** The methods of a chat that has a gate. */
export type AttachedMethods = AttachedChat['methods'];

/** One act: a call of a method. */
interface Act {
  name: keyof AttachedMethods;
  args: readonly unknown[];
  /** The user message that it shows. None before the message's files have been read. */
  message?: GateMessage;
  resolve?(result: unknown): void;
  reject?(error: unknown): void;
}

/** The acts of one chat. */
export class WaitingActs implements ChatSource {
  readonly isReplying = false;
  /** The initial messages with the effect of the acts. */
  messages!: GateMessage[];
  /** In a chat with a message queue: the user messages after the first request. */
  queued!: GateMessage[];
  /** Why the core could not be loaded, until `clearError()`. */
  error: Error | undefined;

  readonly #chat: ChatHost;
  readonly #store: ViewStore;
  readonly #load: (name: Act['name']) => void;
  /** Why the core could not be loaded, until the next attempt. Meanwhile the user messages are undelivered. */
  #failure: Error | undefined;
  #acts: Act[] = [];

  /** `load`: loads the core for an act, if it needs it. Throws if the act is not possible. */
  constructor(chat: ChatHost, store: ViewStore, load: (name: Act['name']) => void) {
    this.#chat = chat;
    this.#store = store;
    this.#load = load;
    this.show();
  }

  get status(): ChatStatus {
    if (this.error) return 'error';
    return !this.#failure && this.#acts.some(isRequest) ? 'submitted' : 'ready';
  }

  /** Whether acts wait. */
  get hasActs(): boolean {
    return this.#acts.length > 0;
  }

  /** Whether acts will run as soon as the core is loaded. */
  get isBusy(): boolean {
    return !this.#failure && this.#acts.some(({ name }) => name !== 'setMessages' && name !== 'addStopped');
  }

  /** The failure after which messages wait for the next `sendMessage`, if any do. */
  get undelivered(): Error | undefined {
    return this.#acts.some(isMessage) ? this.#failure : undefined;
  }

  /** Adds an act, and loads the core. Returns the promise of the chat's method. */
  add(act: Act): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.#store.observe();
      this.#load(act.name);
      Object.assign(act, { resolve, reject });
      if (!this.#acts.includes(act)) this.#acts.push(act);
      this.show();
    });
  }

  sendMessage(input?: MessageForm | null, options?: RequestOptions): Promise<void> {
    const act: Act = { name: 'sendMessage', args: [input, options] };
    // Without a message: sends undelivered messages again, or the gate's requests if there are none.
    if (input == null) return this.add((this.#failure && this.#acts.findLast(isMessage)) ?? act);
    const form = this.#store.plain(input);
    const complete = (parts: readonly unknown[]): void => {
      act.message = toUserMessage(form, parts, () => this.#chat.generateId());
      act.args = [{ ...act.message, messageId: form.messageId }, options];
    };
    const parts = partsOf(form);
    if (!(parts instanceof Promise)) complete(parts);
    else
      parts.then(
        (read) => {
          // Otherwise the gate has it, or it was dropped.
          if (!this.#acts.includes(act)) return;
          complete(read);
          this.show();
        },
        (error: unknown) => this.#remove(act)?.reject?.(error),
      );
    return this.add(act);
  }

  async stop(): Promise<void> {
    // A message that is shown is added to the history, and not sent.
    if (!this.#failure) for (const act of this.#acts) if (act.message) act.name = 'addStopped';
    this.#drop(
      new ToolGateError(
        'not-initialized',
        say`stop() dropped this before the core was loaded: nothing was decided. Call it again.`,
      ),
    );
  }

  async addToolApprovalResponse(answer: ApprovalAnswer): Promise<void> {
    const parts = this.messages.flatMap((message) => message?.parts ?? []) as Partial<ToolPart | null>[];
    const part = parts.findLast((one) => one?.approval?.id === answer.id);
    if (part?.state !== 'approval-requested') {
      throw new ToolGateError(
        'unknown-approval',
        say`No approval request "${String(answer.id)}" is shown. Pass the \`approval.id\` of a part that waits.`,
        { approvalId: answer.id },
      );
    }
    // A copy, so that the decision is bound to the shown input, even if the app changes its object.
    await this.add({ name: 'addToolDecision', args: [answer, plain(part.input)] });
  }

  async '~resumeStreamIfDisconnected'(): Promise<void> {
    // No stream was lost.
  }

  experimental_removeQueuedMessage(id: string): void {
    const isQueued = this.queued.some((message) => message.id === id);
    if (isQueued) this.#remove(this.#acts.find(({ message }) => message?.id === id))?.resolve?.(undefined);
  }

  setMessages(messages: readonly unknown[]): void {
    if (!Array.isArray(messages)) {
      throw new TypeError(say`messages: expected an array. Check \`response.ok\` first.`);
    }
    const name = 'setMessages';
    this.#load(name);
    const list = this.#store.plain(messages, new Set<unknown>(this.messages));
    this.add({ name, args: [list] }).catch(reportUncaught);
  }

  clearError(): void {
    this.error = undefined;
    this.#store.publish();
  }

  /** Called before the core is loaded again: the undelivered messages are sent then. */
  retry(): void {
    this.#failure = undefined;
    this.clearError();
  }

  /** Drops all acts but the app's lists and the user messages. The next `sendMessage` sends these messages. */
  fail(failure: Error): void {
    const hadRequest = this.#acts.some(isRequest);
    this.#failure = this.error = failure;
    this.#drop(failure);
    if (hadRequest) guarded(() => this.#chat.onError?.(failure));
  }

  /** Drops everything, for a chat that was disposed. The messages remain shown. */
  dispose(error: Error): void {
    settle(this.#acts.splice(0), error);
    this.clearError();
  }

  /** Runs all acts in call order. */
  run(methods: AttachedMethods): void {
    for (const { name, args, resolve, reject } of this.#acts.splice(0)) {
      try {
        resolve!((methods[name] as (...args: readonly unknown[]) => unknown)(...args));
      } catch (error) {
        reject!(error);
      }
    }
  }

  /** Shows the messages with the effect of the acts. */
  show(): void {
    let shown: readonly unknown[] = this.#store.initial;
    const queued: GateMessage[] = [];
    let hasRequest = false;
    for (const act of this.#acts) {
      const { name, args, message } = act;
      if (name === 'setMessages') shown = args[0] as readonly unknown[];
      if (message) {
        const { messageId } = args[0] as MessageForm;
        const at = messageId == null ? -1 : shown.findIndex((other) => (other as GateMessage).id === messageId);
        if (hasRequest && this.#chat.queueEnabled && messageId == null) queued.push(message);
        else shown = [...(at < 0 ? shown : shown.slice(0, at)), message];
      }
      hasRequest ||= isRequest(act);
    }
    this.messages = Object.freeze([...shown]) as GateMessage[];
    this.queued = (queued.length > 0 ? Object.freeze(queued) : NONE) as GateMessage[];
    this.#store.publish();
  }

  /** Drops all acts except the app's lists and the user messages that are shown, and settles all promises. */
  #drop(error: Error): void {
    const acts = this.#acts;
    this.#acts = acts.filter(
      (act) => act.name === 'setMessages' || act.message !== undefined || (this.#failure && isMessage(act)),
    );
    settle(acts, error);
    this.show();
  }

  /** Removes an act, and returns it. Its promise is not settled. */
  #remove(act: Act | undefined): Act | undefined {
    this.#acts = this.#acts.filter((other) => other !== act);
    this.show();
    return act;
  }
}

/** Settles the promises of dropped acts. Those of decisions and of tools' results reject: they had no effect. */
function settle(acts: readonly Act[], error: Error): void {
  for (const { name, resolve, reject } of acts) {
    if (name.startsWith('addTool')) reject!(error);
    else resolve!(undefined);
  }
}

/** Whether an act causes a request. */
function isRequest({ name }: Act): boolean {
  return name === 'sendMessage' || name === 'regenerate';
}

/** Whether an act sends a message of the user. */
function isMessage({ name, args }: Act): boolean {
  return name === 'sendMessage' && args[0] != null;
}
