/**
 * The type of a scenario: what the server says, what the user does, what the network does, and what must follow. A
 * scenario is plain data. It names calls by their ids; the approval id of the call `c1` is `ask-c1`.
 */

/** One chunk of the AI SDK's UI message stream. Other wires translate it. */
export interface Chunk {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A chunk, or a point where the server waits until the user's act `{ release: name }`. */
export type Line = Chunk | { readonly until: string };

/** The reply of the server to one request. */
export interface Reply {
  /**
   * What the server sends, without `start` and `finish`. If it `settles`, the results of the calls that the request
   * approves, and the denials, come first.
   */
  readonly lines: readonly Line[];
  /**
   * Whether the server runs approved calls and confirms denied ones, as `streamText` does. Default: true. A server that
   * does not is broken or repeats itself; some scenarios test that the client copes with it.
   */
  readonly settles?: boolean;
  /** Whether the reply has no `finish`, because an error chunk ends it. */
  readonly fails?: boolean;
  /** Whether the reply has a message id of its own, although it continues a message. */
  readonly hasNewId?: true;
}

/** One act of the user, or of the app's own code. */
export type Act = (
  | { readonly send: string }
  /** Clicks Approve. `times: 2` is a double click: nothing happens in between. */
  | { readonly approve: string; readonly times?: number; readonly ifOffered?: true }
  | { readonly deny: string; readonly reason?: string; readonly ifOffered?: true }
  /** The app adds the output of a call, as for a tool that runs in the page. */
  | { readonly output: string; readonly tool: string; readonly value: unknown }
  | { readonly stop: true }
  /** The page is reloaded: a new client is opened with what the old one showed. */
  | { readonly reload: true }
  /** The client is asked to resume the reply that was interrupted. */
  | { readonly reconnect: true }
  /** The server continues a reply that waits. */
  | { readonly release: string }
) & {
  /** The next act follows at once, and not when nothing happens any more. */
  readonly atOnce?: true;
};

/** What the network does with a request and its reply. */
export type Fault =
  /** The request does not reach the server. */
  | 'lost request'
  /** The server answers, but nothing of the reply arrives. */
  | 'lost reply'
  /** The connection breaks after this number of chunks. The server continues. */
  | { readonly cutAfter: number }
  /** A proxy answers with this status; the server does not receive the request. */
  | { readonly status: number }
  /** The reply starts after this time. */
  | { readonly delayMs: number }
  /** The connection delivers every chunk twice. */
  | 'doubled chunks';

/** What the page shows of a call. */
export type Shown =
  /** It is being written, or runs. */
  | 'open'
  /** It waits for the user. */
  | 'asked'
  | 'approved'
  | 'denied'
  | 'executed'
  /** It failed, or was closed without a result. */
  | 'failed';

/** What must be true at the end. Absent fields are not tested. */
export interface Expectation {
  /** The number of requests that the server must have received: exactly, or `[least, most]`. */
  readonly requests?: number | readonly [least: number, most: number];
  /** The ids of the calls that the server ran, in any order, each as often as it ran. */
  readonly ran?: readonly string[];
  /** Calls that must not have run. */
  readonly neverRan?: readonly string[];
  /** Calls that must not have run more often than once. */
  readonly ranAtMostOnce?: readonly string[];
  /** Lines of the model's last prompt, in this order; others may be between them. `*` stands for any text. */
  readonly model?: readonly string[];
  /** Patterns that no line of any prompt matches. `*` stands for any text. */
  readonly modelNever?: readonly string[];
  /** What the page shows of calls: one of the listed states. */
  readonly shows?: Readonly<Record<string, Shown | readonly Shown[]>>;
  /** How often the page shows each call. */
  readonly copies?: Readonly<Record<string, number>>;
  /** Texts that the page shows. */
  readonly texts?: readonly string[];
  /** Whether the client must be idle. Default: true. */
  readonly idle?: false;
  /** Whether two requests may be open at the same time. Default: false. */
  readonly overlaps?: true;
}

/** What a client must be able to do for a scenario. Without it, the result is `skipped`. */
export type Need = 'output' | 'stop' | 'reconnect' | 'reload';

/** One scenario. */
export interface Scenario {
  /** A short name that never changes: baselines refer to it. */
  readonly id: string;
  /** What happens. */
  readonly title: string;
  /** What must be true, in one sentence. */
  readonly rule: string;
  /** Where the rule comes from, or where its violation was reported: addresses or names of documents. */
  readonly source?: string;
  /** The replies to the requests, in order. After the last one the server settles and says `ok`. */
  readonly server: readonly Reply[];
  /** By the number of the request, from 1. */
  readonly network?: Readonly<Record<number, Fault>>;
  readonly user: readonly Act[];
  readonly expect: Expectation;
  readonly needs?: readonly Need[];
}

/** Scenarios about one kind of rules. */
export interface Group {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
}
