/**
 * Protocols as an app uses them, and their capabilities. No code.
 */

declare const madeByDefineProtocol: unique symbol;

/**
 * A backend's wire format: a value, imported from `toolgate/protocols/…` or made by `defineProtocol`. Pass it as the
 * option `protocol`, or to `assemble`. `BODY`: its requests and answers (`Outgoing.body`). `EVENT`: an event of its
 * streams (`receive`). `MESSAGE`: a message of its histories (`load`, `assemble`).
 */
export interface Protocol<BODY = unknown, EVENT = unknown, MESSAGE = unknown> {
  /** The name in events, errors and recordings, such as `'acp'`. */
  readonly name: string;
  /** What the protocol can express. Everything else is lost, with a `lossy` event. */
  readonly capabilities: Capabilities;
  /** Only `defineProtocol` makes protocols: an object with these fields is not one. */
  readonly [madeByDefineProtocol]: { readonly body: BODY; readonly event: EVENT; readonly message: MESSAGE };
}

/** The types of a protocol's values, by which a gate with that protocol is typed. All are `unknown` for `'ai-sdk'`. */
export type TypesOf<P> =
  P extends Protocol<infer BODY, infer EVENT, infer MESSAGE>
    ? { body: BODY; event: EVENT; message: MESSAGE }
    : { body: unknown; event: unknown; message: unknown };

/** What a backend's protocol can express. Everything else is lost, with a `lossy` event. */
export interface Capabilities {
  /**
   * `raw-model`: a model's own API. Only the page runs tools, the gate asks about every call unless an option says
   * otherwise, and the model gets an error for an input that is not valid JSON. `resubmitting`: decisions are part of
   * the next request. `answering`: each decision is a request of its own.
   */
  readonly kind: 'raw-model' | 'resubmitting' | 'answering';
  /** A decision can carry a reason. */
  readonly reason: boolean;
  /** An approval can carry an edited input. */
  readonly editedInput: boolean;
  /** The backend distinguishes a cancelled call from a denied one. */
  readonly cancel: boolean;
  /** The backend can remember decisions. (Toolgate itself always can.) */
  readonly remember: boolean;
  /** Where the history is stored. With `server`, requests carry only the new message and the decisions. */
  readonly history: 'client' | 'server';
  /** The values that the option `history` accepts. */
  readonly historyChoices: readonly ('client' | 'server')[];
  /** A denied call can be recognized in the backend's stream or history. If not, its absence proves nothing. */
  readonly denialVisible: boolean;
  /** The parts of a history that the protocol cannot express. Each is reported as a `lossy` event when it occurs. */
  readonly lost: readonly Loss[];
  /**
   * What the backend does if it receives the same decisions twice, after `retry` for example. `ignored`: nothing,
   * because each decision names its request by an id that is never used again. `runs-again`: the approved tools run
   * again. `unknown`: this is not known, or it depends on the app's server.
   */
  readonly repeat: 'ignored' | 'runs-again' | 'unknown';
  /** The backend accepts a message while its reply waits for decisions: the option `onUserMessage: 'pass'`. */
  readonly messageWhilePending: boolean;
}

/**
 * What a protocol cannot express about a call or a history.
 * - `approval`: that an executed call had been approved
 * - `pending`: an approved call that has not run; it is omitted
 * - `failed`: that a call failed; only the text of its result shows it
 * - `json`: an output that is not a string; it becomes JSON text
 * - `input`: an input that is not an object; it is wrapped in one
 * - `system`, `reasoning`, `file`, `custom`: content of that kind, or some of it
 * - `content`: images, files and other parts of a result; only its texts are sent
 * - `id`: a call id that the provider does not accept; a replacement is sent
 * - `reason`: the reason of a denial
 * - `option`: the scope of a decision, if the backend offers no matching option; another one that grants nothing more
 *   is sent, or `cancelled`
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
  | 'content'
  | 'id'
  | 'reason'
  | 'option';
