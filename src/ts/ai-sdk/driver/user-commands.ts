/**
 * The user's commands to the gate of a guarded chat, with the request options that the app passed to the chat's method.
 * The options are stored until the request that they belong to is sent (request-options.ts).
 */
import { isUserCommand, type Interceptor } from '../../gate/commands.js';
import type { ToolGate } from '../../gate/tool-gate.js';
import type { GateMessage, UserMessage } from '../../types/index.js';
import type { RequestOptions } from '../chat-host.js';
import { disposed } from '../disposed.js';
import type { Driver } from './driver.js';
import { type Envelope, plain } from './request-options.js';
import type { Resumer } from './resume.js';

/** The user's commands of one guarded chat. */
export class UserCommands {
  readonly #gate: ToolGate;
  readonly #driver: Driver;
  readonly #resumer: Resumer;
  /** Aborted, and replaced by another one, by each `stop`. */
  stopping = new AbortController();
  /** The request options of the chat method in progress. */
  #attached: Envelope | undefined;

  constructor(gate: ToolGate, driver: Driver, resumer: Resumer) {
    this.#gate = gate;
    this.#driver = driver;
    this.#resumer = resumer;
  }

  /** Calls the gate for a method of the chat. `attached` is sent with the request that the call causes. */
  withOptions<T>(call: () => T, attached?: Envelope): T {
    if (this.#driver.isDisposed) throw disposed();
    const before = this.#attached;
    this.#attached = attached;
    try {
      return call();
    } finally {
      this.#attached = before;
    }
  }

  /** Passes the user's message to the gate. Throws the gate's errors. */
  submit(message: GateMessage, options: RequestOptions | undefined, replace?: string | null): void {
    const about = replace == null ? undefined : { replace };
    this.withOptions(() => this.#gate.sendUserMessage(message as UserMessage, about), { options });
  }

  /** Stops the request in flight, and an attempt to resume a reply. Resolves when they have ended. */
  async stop(): Promise<void> {
    const { exchange, queue } = this.#driver;
    this.stopping.abort();
    this.stopping = new AbortController();
    try {
      this.#gate.stop();
    } finally {
      exchange?.abort();
    }
    await Promise.all([exchange?.done, this.#resumer.abort()]);
    queue.pause();
  }

  /** Adds the user's message as undelivered, as after a failed request. `error` says why it is not sent. */
  addUnsent(
    message: GateMessage,
    options: RequestOptions | undefined,
    replace: string | undefined,
    error: string,
  ): void {
    const gate = this.#gate;
    this.#driver.together(() => {
      const before = new Set(gate.outgoing().map(({ id }) => id));
      this.submit(message, options, replace);
      for (const { id } of gate.outgoing()) if (!before.has(id) && gate.claim(id)) gate.markFailed(id, error);
    });
  }

  /**
   * Intercepts the gate's commands: attaches the app's request options to the user's commands and stores them. After
   * each command, and after a state was adopted, sends the items that may be sent.
   */
  readonly intercept: Interceptor = (command, next) => {
    if (command.name === 'adopt') return this.#driver.together(() => next(command));
    if (command.name === 'load' && Array.isArray(command.args[0])) this.#driver.exchange?.detachFrom(command.args[0]);
    if (!isUserCommand(command)) return next(command);
    if (this.#driver.isDisposed) throw disposed();
    if (command.name === 'stop') {
      // The gate cannot reject it, and the app of this tab does not await it.
      if (command.isForwarded) return void this.stop().catch(() => {});
      // A stop holds vetoed decisions as any others.
      this.#driver.isVetoed = false;
    }
    const envelope = command.isForwarded ? (command.attached as Envelope | undefined) : this.#attached;
    const { memory } = this.#driver;
    const act = (): unknown => next(envelope ? { ...command, attached: plain(envelope) } : command);
    switch (command.name) {
      case 'sendUserMessage':
        this.#driver.queue.resume();
        return this.#driver.requestByUser(() => {
          // Nothing went wrong, so the vetoed decisions are sent, before the message.
          if (this.#driver.isVetoed) this.#gate.resume();
          const result = act();
          memory.forAct('message', (command.args[0] as { id: string }).id, envelope?.options);
          return result;
        });
      case 'regenerate':
      case 'resume':
      case 'retry':
        return this.#driver.requestByUser(act, envelope);
      default:
        return this.#driver.together(() => {
          const result = act();
          if (command.name === 'respond') memory.forAct('approval', command.args[0], envelope?.options);
          if (command.name === 'addToolOutput') memory.forAct('output', command.args[0], envelope?.options);
          return result;
        });
    }
  };
}
