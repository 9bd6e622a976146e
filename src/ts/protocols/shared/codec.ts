/**
 * What a codec is: one backend's wire format, told in the neutral forms that the core reads and writes.
 *
 * A codec decides nothing about approvals and keeps no state beyond one stream. It reads a stream as AI SDK chunks, writes
 * the history from entries (`history.ts`), and reads a history into entries. What has to outlive a stream (item ids,
 * signatures) goes into provider metadata, in the AI SDK's own words, so that a history that came in by one protocol is
 * complete in another.
 */
import type { AiSdkBody, Capabilities, GateTexts, Loss, OutgoingHead, RepairCode } from '../../types/index.js';

/** Data from outside, of any shape: reading it may throw, and who reads it expects that. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Data = any;

/** A part of a message as the AI SDK's `ModelMessage` has it: text, reasoning, a file, custom content; or a call. */
export type Part = { type: string; providerOptions?: Record<string, Data> } & Record<string, Data>;

/** A call with all that belongs to it, each in the AI SDK's form. */
export interface Call extends Part {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: Data;
  providerExecuted?: boolean;
  /** While a history is read: the id under which its result comes, if that is another one. */
  answeredAs?: string | undefined;
  request?: Part;
  response?: Part;
  result?: Part;
}

/** One message. Of the assistant: one step. */
export interface Entry {
  role: 'system' | 'user' | 'assistant';
  content: Part[];
}

/** What writing and reading a history takes beside it. */
export interface Context {
  /** The chat's id: for some protocols that of the backend's session, or thread. */
  readonly chatId: string;
  /** The app's own words for results that no tool wrote. */
  readonly texts: Partial<GateTexts> | undefined;
  /** Reports what the protocol cannot say: about a call, or about the whole history. */
  lose(loss: Loss, call?: string): void;
  /** Reports what was wrong with a history that is being read, and what was made of it, in words. */
  repair(code: RepairCode, detail: string, call?: string): void;
}

/** What became of one call, as it is told to the backend: a decision, or what its tool in the browser came to. */
export interface ItemDecision {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** As the model wrote it. */
  readonly input: Data;
  /** As the user changed it, with `outcome: 'approved'`; absent if nobody did. */
  readonly editedInput?: Data;
  /** `executed` and `failed`: the tool ran in the browser, and this is its result, not a decision. */
  readonly outcome: 'approved' | 'denied' | 'skipped' | 'expired' | 'cancelled' | 'executed' | 'failed';
  /** Why, for the model: the user's words, or those of the policy. Of a failed tool: its error. */
  readonly reason?: string;
  /** What a tool of the browser returned. */
  readonly output?: Data;
  /** The backend is asked to remember it, where it can. */
  readonly remember?: 'chat' | 'always';
  /** The approval with all that the backend attached to its request (every unknown field of the chunk), unread. */
  readonly approval: Data;
  /** The call's provider metadata. */
  readonly metadata: Data;
}

/** What building a request takes. */
export interface RequestContext extends Context {
  /** Who keeps the history. */
  readonly history: 'client' | 'server';
  /** The item: which approvals it carries, and why it leaves. */
  readonly item: OutgoingHead;
  /** What the AI SDK's own client would post. */
  readonly request: AiSdkBody;
  /** The metadata of the assistant's last message. */
  readonly metadata: Data;
  /**
   * What the item carries: decisions, and results of tools that ran in the browser, in call order. With `cancelled` among them
   * the user called the work off.
   */
  readonly decisions: readonly ItemDecision[];
  /** The user's messages that the item carries: those behind the assistant's last one. */
  readonly news: readonly Entry[];
}

/**
 * Reads one event of a stream; `false` for one that is not the protocol's. May throw: then what is left of the event was malformed.
 * A list in an event is read item by item (`Flow.each`), so that a malformed one loses only itself.
 */
export type Reader = (event: Data) => boolean;

/** Takes what a reader emits: an AI SDK UI message chunk; `undefined` for a piece of an event that was malformed. */
export type Emit = (chunk: Data) => void;

/** One backend's wire format. */
export interface Codec {
  readonly capabilities: Capabilities;
  /** Nobody but this client runs the tools: their calls wait for `addToolOutput`. */
  readonly runsHere?: boolean;
  /** A call's id never comes again: until approval is asked for, a changed input is the same call's. */
  readonly uniqueCalls?: boolean;
  /**
   * Denials never travel with a message: they leave by themselves, and the message behind the reply to them. On answering
   * protocols: a message waits for the reply in which the backend goes on behind an answer.
   */
  readonly answersFirst?: boolean;
  /** With `answersFirst`, on answering protocols: the backend goes on in a reply behind a denial too, not only behind what runs. */
  readonly repliesToDenials?: boolean;
  /** On answering protocols: the result of a tool in the browser says that it was approved, so the approval has no answer of its own. */
  readonly resultApproves?: boolean;
  /** The protocol has no approvals of its own: this client asks, under the call's id, unless the app says otherwise. */
  readonly asks?: boolean;
  /**
   * A reader for one stream. `fresh` makes ids where the protocol has none; `calls` are the tool parts of the turn as the view
   * shows them, oldest first: where a backend reports a decision as an ordinary result, they say what was decided. `messages` are all
   * messages that the view shows.
   */
  reader(emit: Emit, fresh: () => string, calls: () => readonly Data[], messages: () => readonly Data[]): Reader;
  /** The history as the model, or the backend's own client, has it. */
  write(entries: readonly Entry[], context: Context): unknown[];
  /** What the protocol's own client would put in a request. On protocols that take answers first, answers have it to themselves. */
  body(entries: readonly Entry[], context: RequestContext): unknown;
  /**
   * One decision in the protocol's own words, or the result of a tool in the browser: what `Outgoing.body` is. On answering
   * protocols only; there `body` is what a message of the user is sent in.
   */
  answer?(decision: ItemDecision, context: Context): unknown;
  /** Whether this one approval takes an edited input, where `capabilities` says that some do. Of an unknown approval nothing is known. */
  editable?(approval: Data): boolean;
  /**
   * Reads a history of the protocol's own form. Whatever is damaged in it is left out or repaired, and reported (`Context.repair`);
   * it throws for no content. Absent: the form is the AI SDK's, which the core reads.
   */
  read?(history: readonly Data[], context: Context): Entry[];
}

/** What the AI SDK's protocol can express, and with it the neutral form. */
export const NEUTRAL: Capabilities = {
  kind: 'resubmitting',
  reason: true,
  editedInput: false,
  cancel: false,
  remember: false,
  history: 'client',
  denialVisible: true,
  lost: [],
  repeat: 'runs-again',
};

/** What a model's own API can express: decisions are told as results, in words. */
export const wordsOnly = (lost: string): Capabilities => ({
  ...NEUTRAL,
  lost: lost.split(' ') as Loss[],
  repeat: 'unknown',
});
