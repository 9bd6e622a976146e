/**
 * What a protocol is to its users, and what each can express. No code.
 */

declare const madeByDefineProtocol: unique symbol;

/**
 * A backend's wire format: a value, imported from `toolgate/protocols/…` or made by `defineProtocol`. Pass it as the
 * option `protocol`, or to `assemble`.
 */
export interface Protocol {
  /** The name in events, errors and recordings, such as `'acp'`. */
  readonly name: string;
  /** What it can express: what it cannot is lost, with a `lossy` event. */
  readonly capabilities: Capabilities;
  /** Only `defineProtocol` makes protocols: an object with these fields is not one. */
  readonly [madeByDefineProtocol]: true;
}

/** What a backend's protocol can express: what it cannot is lost, with a `lossy` event. */
export interface Capabilities {
  /** `resubmitting`: decisions are part of the next request. `answering`: each is sent by itself. */
  readonly kind: 'resubmitting' | 'answering';
  /** A decision can carry a reason. */
  readonly reason: boolean;
  /** An approval can carry another input. */
  readonly editedInput: boolean;
  /** The backend can be told that the user cancelled the work, as something other than a denial. */
  readonly cancel: boolean;
  /** The backend can be told to remember a decision. (Toolgate can always remember it itself.) */
  readonly remember: boolean;
  /** Who keeps the history. With `server`, requests carry only the message and the answers. */
  readonly history: 'client' | 'server';
  /** What the option `history` can be. */
  readonly historyChoices: readonly ('client' | 'server')[];
  /** A denial can be seen in what the backend sends. If not, no sign of one means nothing. */
  readonly denialVisible: boolean;
  /** What of a history it cannot say. Each is reported as a `lossy` event where it happens. */
  readonly lost: readonly Loss[];
  /**
   * What the backend does with a request of answers that it receives twice, by `retry` or otherwise. `ignored`:
   * nothing, because every answer names its request by an id that never comes again. `runs-again`: the approved tools
   * run again. `unknown`: neither is known, or it depends on the app's server.
   */
  readonly repeat: 'ignored' | 'runs-again' | 'unknown';
}

/**
 * What a protocol cannot say about a call or a history.
 * - `approval`: that a call which ran had been approved
 * - `pending`: a call that is approved and has not run; it is left out
 * - `failed`: that a call failed; only its text says so
 * - `json`: an output that is not text; it becomes JSON text
 * - `input`: an input that is not an object; it is wrapped in one
 * - `system`, `reasoning`, `file`, `custom`: content of that kind, or some of it
 * - `id`: a call id that the provider does not take; another one replaces it
 * - `reason`: why a call was denied
 * - `option`: how far a decision reaches; the backend offers no such choice, and is sent the nearest that grants no
 *   more
 */
export type Loss =
  | 'approval'
  | 'pending'
  | 'failed'
  | 'json'
  | 'input'
  | 'system'
  | 'reasoning'
  | 'file'
  | 'custom'
  | 'id'
  | 'reason'
  | 'option';
