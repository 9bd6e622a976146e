/**
 * The protocols that Toolgate speaks, and what each can express. No code.
 */

/** A backend's wire format. Later releases add members, so a `switch` over it needs a `default`. */
export type Protocol =
  | 'ai-sdk'
  | 'ai-sdk-ws'
  | 'effect'
  | 'anthropic'
  | 'openai-chat'
  | 'openai-responses'
  | 'genkit'
  | 'gemini'
  | 'adk'
  | 'vscode'
  | 'ag-ui'
  | 'tanstack'
  | 'acp'
  | 'langgraph'
  | 'openai-agents'
  | 'pydantic-ai'
  | 'mastra'
  | 'cloudflare'
  | 'opencode'
  | 'claude-managed-agents';

/** What a backend's protocol can express: what it cannot is lost, with a `lossy` event. */
export interface Capabilities {
  /** `resubmitting`: decisions travel in the next request. `answering`: each gets its own message. */
  readonly kind: 'resubmitting' | 'answering';
  /** A decision can carry a reason. */
  readonly reason: boolean;
  /** An approval can carry another input. */
  readonly editedInput: boolean;
  /** The backend can be told that the user called the work off, as something other than a denial. */
  readonly cancel: boolean;
  /** The backend can be told to remember a decision. (Toolgate can always remember it itself.) */
  readonly remember: boolean;
  /** Who keeps the history. With `server`, requests carry only the message and the answers. */
  readonly history: 'client' | 'server';
  /** A denial can be seen in what the backend sends. If not, no sign of one means nothing. */
  readonly denialVisible: boolean;
  /** What of a history it cannot say. Each is reported as a `lossy` event where it happens. */
  readonly lost: readonly Loss[];
  /**
   * What the backend does with a request of answers that it receives twice, by `retry` or otherwise. `ignored`: nothing, because
   * every answer names its request by an id that never comes again. `runs-again`: the approved tools run again. `unknown`: neither
   * is known, or it depends on the app's server.
   */
  readonly repeat: 'ignored' | 'runs-again' | 'unknown';
}

/**
 * What a protocol cannot say about a call or a history.
 * - `approval`: that a call which ran had been approved
 * - `pending`: a call that is approved and has not run; it is left out
 * - `failed`: that a call failed; only its text says so
 * - `json`: an output that is no text; it becomes JSON text
 * - `input`: an input that is no object; it is wrapped in one
 * - `system`, `reasoning`, `file`, `custom`: content of that kind, or some of it
 * - `id`: a call id that the provider does not take; another one stands for it
 * - `reason`: why a call was denied
 * - `option`: how far a decision reaches; the backend offers no such choice, and is told the nearest that grants no more
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
