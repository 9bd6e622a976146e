/** What an adapter of a chat client implements. */
import type { Chunk, Shown } from '../scenario.js';
import type { Backend } from '../server/backend.js';
import type { Wire } from '../wires/wire.js';

/** What a client is opened with. */
export interface OpenOptions {
  /** The id of the chat. */
  readonly id: string;
  /** The address of the chat on the kit's server. Requests are posted to it. */
  readonly url: string;
}

/** A tool call as the page shows it. */
export interface ShownCall {
  readonly id: string;
  readonly state: Shown;
}

/** What the page shows. */
export interface State {
  /** Whether the client waits for the server, or reads a reply. False while only the user can act. */
  readonly isBusy: boolean;
  /** Calls in order, each as often as the page shows it. */
  readonly calls: readonly ShownCall[];
  /** The texts of the user and of the model, in order. */
  readonly texts: readonly string[];
}

/**
 * A chat client that is driven by the kit. A method may return a promise; the kit does not wait for it, as a button
 * does not wait. Errors that a method throws, or rejects with, are recorded, and are not a failure.
 */
export interface Client {
  /** The user sends a message. */
  send(text: string): unknown;
  /** The user clicks Approve. */
  approve(approvalId: string): unknown;
  /** The user clicks Deny. */
  deny(approvalId: string, reason: string | undefined): unknown;
  /** What the page shows now. */
  state(): State;
  /** The user presses Stop. */
  stop?(): unknown;
  /** The app adds a tool's output. */
  output?(toolName: string, toolCallId: string, value: unknown): unknown;
  /** The app resumes a reply that was interrupted. */
  reconnect?(): unknown;
  /**
   * Reloads the page: ends this client, and returns a new one with what an app stores of a chat by default. The old
   * client is not used any more.
   */
  reload?(): Client | Promise<Client>;
  /** Ends the client. */
  close?(): unknown;
}

/** A dispute: the maintainers of a client say that a rule is not theirs to follow. */
export interface Dispute {
  readonly reason: string;
  /** The address of the statement. */
  readonly source: string;
}

/** An adapter: the default export of the file that `--adapter` names. */
export interface Adapter {
  /** The name of the column in tables. */
  readonly name: string;
  /** The tested packages and their versions. */
  readonly versions: Readonly<Record<string, string>>;
  /** The options that the client is created with, in words. */
  readonly options: string;
  /** The format of requests and replies, or the server of the client's stack. Default: `uiMessageStream`. */
  readonly wire?: Wire | Backend;
  /** Scenarios that cannot occur with this client, by id, with the reason. They are skipped. */
  readonly impossible?: Readonly<Record<string, string>>;
  /** Whether the stack has no reasons of denials. Scenarios then don't expect one. */
  readonly hasNoReasons?: true;
  /** By scenario id. A failure is reported as `disputed`. */
  readonly disputes?: Readonly<Record<string, Dispute>>;
  open(options: OpenOptions): Client | Promise<Client>;
}

/** Reads the parts of AI SDK messages (`UIMessage`s), for `state()`. */
export function shownIn(
  messages: readonly { readonly role: string; readonly parts: readonly Chunk[] }[],
): Pick<State, 'calls' | 'texts'> {
  const parts = messages.flatMap((message) => message.parts);
  return {
    texts: parts.flatMap((part) => (part.type === 'text' ? [String(part['text'])] : [])),
    calls: parts.flatMap((part) =>
      typeof part['toolCallId'] === 'string' ? [{ id: part['toolCallId'], state: stateOf(part) }] : [],
    ),
  };
}

function stateOf(part: Chunk): Shown {
  const approval = part['approval'] as { approved?: boolean } | undefined;
  switch (part['state']) {
    case 'approval-requested':
      return 'asked';
    case 'approval-responded':
      return approval?.approved ? 'approved' : 'denied';
    case 'output-available':
      return 'executed';
    case 'output-denied':
      return 'denied';
    case 'output-error':
      return 'failed';
    default:
      return 'open';
  }
}
