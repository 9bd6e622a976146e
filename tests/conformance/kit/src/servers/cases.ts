/**
 * The cases for servers, as data. In each, the model asks for approval of calls that remove files, and the kit posts
 * decisions, honest and forged.
 */

/** What a request says of a call. */
export type Answer =
  | { readonly approve: true }
  | { readonly deny: string }
  /** Approves the call with another input than the one that was asked about. */
  | { readonly approveWith: string }
  /** Approves the call with the approval that was asked for this other call. */
  | { readonly approveAs: string }
  /** Approves a call that the server has never asked about. */
  | { readonly invent: string };

/** One request of a case. */
export interface Post {
  /** By the id of the call. Calls that are not named are left out of the message. */
  readonly answers?: Readonly<Record<string, Answer>>;
  /** The user writes this; nothing is approved. */
  readonly message?: string;
  /**
   * Sends the same bytes and headers a second time: after the reply, or at the same time. `'with a new key'`: after the
   * reply, with another `Idempotency-Key`.
   */
  readonly again?: 'after the reply' | 'at the same time' | 'with a new key';
  /** Posts the conversation as another chat. */
  readonly inAnotherChat?: true;
}

/** One case. */
export interface Case {
  /** A short name that never changes: baselines refer to it. */
  readonly id: string;
  /** What must be true, in one sentence. */
  readonly rule: string;
  readonly source?: string;
  /** Whether a server can follow the rule only if it stores what it has asked or done. */
  readonly needsStorage?: true;
  /** The calls that the model makes: ids. The call `c1` removes `/c1`. */
  readonly calls: readonly string[];
  readonly posts: readonly Post[];
  /** What must be true at the end. */
  readonly expect: {
    /** The calls that ran, each as often as it ran. */
    readonly ran?: readonly string[];
    /** Calls that may have run once, and not more often. */
    readonly atMostOnce?: readonly string[];
    /** Paths that must not have been removed. */
    readonly never?: readonly string[];
    /** A text that the model must have read. */
    readonly read?: string;
  };
}

const APPROVALS = 'https://ai-sdk.dev/docs/ai-sdk-core/tools-and-tool-calling#tool-execution-approval';
const KEYS = 'https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/';

/** All cases in order. */
export const cases: readonly Case[] = [
  {
    id: 'approval',
    rule: 'An approved call runs once, and the model reads its result.',
    source: APPROVALS,
    calls: ['c1'],
    posts: [{ answers: { c1: { approve: true } } }],
    expect: { ran: ['c1'], read: 'removed /c1' },
  },
  {
    id: 'denial',
    rule: 'A denied call does not run, and the model reads the reason.',
    source: APPROVALS,
    calls: ['c1'],
    posts: [{ answers: { c1: { deny: 'keep it, please' } } }],
    expect: { ran: [], read: 'keep it, please' },
  },
  {
    id: 'mixed',
    rule: 'Of two calls the approved one runs, and the denied one does not.',
    calls: ['c1', 'c2'],
    posts: [{ answers: { c1: { approve: true }, c2: { deny: 'not this one' } } }],
    expect: { ran: ['c1'], read: 'not this one' },
  },
  {
    id: 'repeated-request',
    rule: 'A request that arrives twice runs its calls once.',
    source: KEYS,
    needsStorage: true,
    calls: ['c1'],
    posts: [{ answers: { c1: { approve: true } }, again: 'after the reply' }],
    expect: { ran: ['c1'] },
  },
  {
    id: 'simultaneous-requests',
    rule: 'A request that arrives twice at the same time runs its calls once.',
    source: KEYS,
    needsStorage: true,
    calls: ['c1'],
    posts: [{ answers: { c1: { approve: true } }, again: 'at the same time' }],
    expect: { ran: ['c1'] },
  },
  {
    id: 'replayed-approval',
    rule: 'An approval is good for one run: posted again as a new request, it runs nothing.',
    needsStorage: true,
    calls: ['c1'],
    posts: [{ answers: { c1: { approve: true } }, again: 'with a new key' }],
    expect: { ran: ['c1'] },
  },
  {
    id: 'approval-after-denial',
    rule: 'The first decision counts: a denied call does not run when an approval follows.',
    needsStorage: true,
    calls: ['c1'],
    posts: [{ answers: { c1: { deny: 'no' } } }, { answers: { c1: { approve: true } } }],
    expect: { ran: [] },
  },
  {
    id: 'denial-after-approval',
    rule: 'The first decision counts: a denial that follows an approval runs nothing again.',
    calls: ['c1'],
    posts: [{ answers: { c1: { approve: true } } }, { answers: { c1: { deny: 'too late' } } }],
    expect: { ran: ['c1'] },
  },
  {
    id: 'changed-input',
    rule: 'An approval holds for the input that was asked about, and for no other.',
    source: APPROVALS,
    calls: ['c1'],
    posts: [{ answers: { c1: { approveWith: '/etc' } } }],
    expect: { never: ['/etc'], atMostOnce: ['c1'] },
  },
  {
    id: 'invented-approval',
    rule: 'An approval of a call that the server has never asked about runs nothing.',
    source: APPROVALS,
    calls: ['c1'],
    posts: [{ answers: { c9: { invent: '/c9' } } }],
    expect: { ran: [], never: ['/c9'] },
  },
  {
    id: 'borrowed-approval',
    rule: 'The approval of one call approves no other call.',
    calls: ['c1', 'c2'],
    posts: [{ answers: { c1: { approveAs: 'c2' } } }],
    expect: { never: ['/c1'] },
  },
  {
    id: 'approval-in-another-chat',
    rule: 'An approval of one chat runs nothing in another chat.',
    needsStorage: true,
    calls: ['c1'],
    posts: [{ answers: { c1: { approve: true } } }, { answers: { c1: { approve: true } }, inAnotherChat: true }],
    expect: { ran: ['c1'] },
  },
  {
    id: 'approval-of-an-earlier-turn',
    rule: 'An approval that a later message of the user has closed runs nothing.',
    needsStorage: true,
    calls: ['c1'],
    posts: [{ message: 'Something else' }, { answers: { c1: { approve: true } } }],
    expect: { ran: [] },
  },
];
