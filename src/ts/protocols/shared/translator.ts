/**
 * One protocol in one gate: translates streams, histories and requests between the backend and the core. The core makes
 * all decisions.
 */
import { atWork } from '../../types/at-work.js';
import { ToolGateError } from '../../types/errors.js';
import type {
  ReplyTo,
  AiSdkBody,
  GateEvent,
  GateMessage,
  OutgoingHead,
  Protocol,
  Repair,
  StreamEnd,
  ToolGateOptions,
  ToolPart,
} from '../../types/index.js';
import type { ReplyChunk, StreamContext } from '../../types/protocol-definition.js';
import type { Codec, Context, Entry, ItemDecision, Kept, Reader, RequestContext } from './codec.js';
import { hasMoreThanText, partsOfContent, textOfParts } from './content.js';
import { asList, isToolCall } from './history.js';
import { modelMessagesOf } from './model-messages.js';
import { isAsked, requestFor } from './page-approvals.js';
import { isRawModel } from './raw-model.js';
import type { WrittenHistories } from './written-history.js';

/** The parts of a gate that a translator uses. */
export interface TranslatedGate {
  readonly env: { readonly options: ToolGateOptions; readonly chatId: string; freshId(): string };
  /** The current view. */
  view(): { readonly messages: readonly GateMessage[] };
  /** Queues an event, which is emitted after the core's events. */
  queueEvent(event: GateEvent): void;
}

/** The contents of a request. */
export interface ToWrite {
  /** The history. */
  readonly entries: readonly Entry[];
  /** The entries that are new to the backend; if undefined, those after the last reply. */
  readonly added: readonly Entry[] | undefined;
  readonly decisions: readonly ItemDecision[];
  readonly item: OutgoingHead;
  /** Returns the body that the AI SDK's client would send. */
  aiSdkBody(): AiSdkBody;
}

/** The properties of its protocol that a translator needs. */
type ProtocolInfo = Pick<Protocol, 'name' | 'capabilities'>;

/** One protocol in one gate. */
export class Translator {
  readonly codec: Codec;
  readonly #protocol: ProtocolInfo;
  readonly #gate: TranslatedGate;
  readonly #readers = new Map<string | undefined, Reader>();
  /** What to do when the stream of a request has ended well. */
  readonly #ends = new Map<string | undefined, () => void>();
  /** The reported losses, each with its call's id. */
  readonly #reported = new Set<string>();
  /** The histories that were written for earlier requests. */
  readonly #written: WrittenHistories = new Map();
  /** The chunks of the event that is being read. */
  #chunks: (ReplyChunk | undefined)[] = [];
  #isReading = false;
  readonly #connection = { number: 0 };
  /** The requests whose decisions the backend refused, until their streams end. */
  readonly #refused = new Set<string | undefined>();
  #isRefused = false;
  /** The requests whose messages the model did not read, as the event that was read last reported. Set only here. */
  unread: readonly string[] = [];

  constructor(protocol: ProtocolInfo, codec: Codec, gate: TranslatedGate) {
    this.#protocol = protocol;
    this.#gate = gate;
    this.codec = codec;
  }

  /**
   * Translates an event to chunks for the core; returns undefined if the event does not belong to the protocol. Throws
   * `busy` if it is called while an event is being read.
   */
  chunks(event: unknown, about: ReplyTo | undefined): readonly unknown[] | undefined {
    if (this.#isReading) throw atWork();
    const id = about?.requestId;
    let reader = this.#readers.get(id);
    if (!reader) this.#readers.set(id, (reader = this.#reader(id)));
    const chunks = (this.#chunks = []);
    this.#isReading = true;
    this.#isRefused = false;
    this.unread = [];
    try {
      const isKnown = reader(event);
      return !this.#isRefused && (isKnown || chunks.length > 0) ? chunks : undefined;
    } catch {
      // The chunks that were read stay valid; `undefined` makes the core report the rest as malformed.
      return [...chunks, undefined];
    } finally {
      this.#isReading = false;
    }
  }

  /** Whether a decision about this approval (`approval` of its tool part) can carry an edited input. */
  isEditable(approval: object): boolean {
    if (!this.#protocol.capabilities.editedInput) return false;
    try {
      return this.codec.acceptsEdit?.(approval as Kept) ?? true;
    } catch {
      // The backend's metadata may be damaged.
      return false;
    }
  }

  /** Returns the chunks with which a reader ends a stream that has ended well, or loses its connection. */
  finish(about: ReplyTo | undefined, how: StreamEnd['status']): readonly unknown[] | undefined {
    if (how === 'disconnected') return this.leave();
    const id = about?.requestId;
    const end = this.#ends.get(id) ?? (this.#ends.size === 1 ? [...this.#ends.values()][0] : undefined);
    const chunks = (this.#chunks = []);
    if (how === 'finished') end?.();
    return chunks;
  }

  /** Returns the chunks that close what an earlier connection asked. */
  leave(): readonly unknown[] | undefined {
    return this.codec.leaveConnection?.(this.#messages, this.#connection);
  }

  /**
   * Drops the reader of a stream that ended. If only the events or only the ending named a request, they are taken to
   * belong to the same stream. Returns whether the backend refused the decisions of the request.
   */
  ended(about: ReplyTo | undefined): boolean {
    const id = about?.requestId;
    if (!this.#ends.delete(id) && this.#ends.size === 1) this.#ends.clear();
    if (!this.#readers.delete(id)) {
      if (id !== undefined) this.#readers.delete(undefined);
      else if (this.#readers.size === 1) this.#readers.clear();
    }
    return this.#refused.delete(id) || this.#refused.delete(undefined);
  }

  /**
   * Converts a history for the core, and lists the repairs. A history of the AI SDK is returned unchanged: the core
   * repairs it. Does not throw for damaged JSON.
   */
  load(messages: readonly unknown[]): { readonly history: readonly unknown[]; readonly repairs: readonly Repair[] } {
    this.#written.clear();
    if (!this.codec.read || isOfAiSdk(messages)) return { history: messages, repairs: [] };
    const repairs: Repair[] = [];
    const context: Context = {
      ...this.#context(),
      reportRepair: (code, detail, toolCallId) =>
        void repairs.push({ code, ...(toolCallId !== undefined && { toolCallId }), detail }),
    };
    const entries = this.codec.read(messages, context);
    for (const part of entries.at(-1)?.content ?? []) {
      if (!isToolCall(part) || part.result) continue;
      if (this.#options.browserTools?.includes(part.toolName)) part.providerExecuted = false;
      if (isRawModel(this.codec) && !part.request && isAsked(this.#options, this.codec, part))
        part.request = requestFor(part);
    }
    // A user's entry is a model message, which may have content of the protocol's own.
    const history = entries.flatMap((entry): unknown => (entry.role === 'user' ? entry : modelMessagesOf(entry)));
    return { history, repairs };
  }

  /** Writes a history in the protocol's own format. */
  assemble(entries: readonly Entry[]): unknown[] {
    return this.codec.write(entries, this.#context());
  }

  /** The properties of the protocol for the core, as the bits of the Rust enum `ProtocolTrait`. */
  get kind(): number {
    const { capabilities } = this.#protocol;
    const { answersBeforeMessages, repliesToDenials, resultImpliesApproval, denialCloses, runsRest, read } = this.codec;
    const isAnswering = capabilities.kind === 'answering';
    // A backend that waits for an answer to each request also needs one for a cancelled request.
    const cancels = capabilities.cancel || isAnswering;
    const bits = [
      isAnswering,
      answersBeforeMessages,
      cancels,
      resultImpliesApproval,
      repliesToDenials,
      capabilities.messageWhilePending,
      // A list of the page's tools replaces what the wire says.
      (runsRest ?? !read) && !this.#options.browserTools,
      isRawModel(this.codec),
      denialCloses,
    ];
    return bits.reduce((kind, bit, at) => kind + (bit ? 1 << at : 0), 0);
  }

  /** Returns one decision in the protocol's own format; undefined if the codec has no `answer`. */
  answer([decision]: readonly ItemDecision[]): unknown {
    return this.codec.answer?.(this.#supported([decision as ItemDecision], true)[0] as ItemDecision, this.#context());
  }

  /** Returns the body of the request that the protocol's own client would send. */
  body({ entries, added, decisions, item, aiSdkBody }: ToWrite): unknown {
    let made: AiSdkBody | undefined;
    const context: RequestContext = {
      ...this.#context(),
      item,
      history: this.#options.history ?? this.#protocol.capabilities.history,
      // Few protocols read these.
      get request() {
        return (made ??= aiSdkBody());
      },
      get metadata(): Kept | undefined {
        return context.request.messages.findLast(({ role }) => role === 'assistant')?.metadata as Kept | undefined;
      },
      decisions: this.#supported(decisions),
      newMessages: added ?? entries.slice(entries.findLastIndex(({ role }) => role === 'assistant') + 1),
    };
    return this.codec.body(entries, context);
  }

  /**
   * Removes what the protocol cannot express from the decisions. `sendsResults`: the backend gets results with them.
   */
  #supported(
    decisions: readonly ItemDecision[],
    sendsResults = this.codec.answersBeforeMessages,
  ): readonly ItemDecision[] {
    const { remember, lost } = this.#protocol.capabilities;
    for (const decision of decisions as { -readonly [FIELD in keyof ItemDecision]: ItemDecision[FIELD] }[]) {
      const { content, toolCallId } = decision;
      if (!remember) delete decision.remember;
      if (!content) continue;
      const parts = (decision.content = partsOfContent(asList(content)));
      const isLost = lost.includes('content');
      decision.output = isLost ? textOfParts(parts) : content;
      if (isLost && sendsResults && hasMoreThanText(parts)) this.#context().reportLoss('content', toolCallId);
    }
    return decisions;
  }

  get #options(): ToolGateOptions {
    return this.#gate.env.options;
  }

  get #messages(): readonly GateMessage[] {
    return this.#gate.view().messages;
  }

  #reader(id: string | undefined): Reader {
    return this.codec.createReader({
      chatId: this.#gate.env.chatId,
      emit: (chunk) => this.#emit(chunk),
      refuse: () => {
        this.#isRefused = true;
        this.#refused.add(id);
      },
      unread: (request) => void (this.unread = [...this.unread, request]),
      unanswerable: (what) => {
        const message = `Toolgate does not know ${what}, for which the backend waits. Answer it in the app.`;
        this.#gate.queueEvent({ type: 'anomaly', error: new ToolGateError('unanswerable-request', message) });
      },
      onEnd: (end) => void this.#ends.set(id, end),
      newId: () => this.#gate.env.freshId(),
      connection: this.#connection,
      calls: () => callsOf(turnOf(this.#messages)),
      messages: () => this.#messages,
      runsInPage: (name) => this.#options.browserTools?.includes(name) === true,
    });
  }

  #emit(chunk: ReplyChunk | undefined): void {
    // The core reports parts that could not be read.
    if (!chunk) return void this.#chunks.push(chunk);
    // A tool that the app lists in `browserTools` does not run on the backend.
    if (chunk.providerExecuted && this.#options.browserTools?.includes(chunk['toolName'] as string))
      chunk = { ...chunk, providerExecuted: false };
    this.#chunks.push(chunk);
  }

  #context(): Context {
    const { name: protocol, capabilities } = this.#protocol;
    return {
      chatId: this.#gate.env.chatId,
      texts: this.#options.texts,
      written: this.#written,
      reportRepair: () => undefined,
      reportLoss: (loss, toolCallId) => {
        const key = `${loss} ${toolCallId}`;
        if (!capabilities.lost.includes(loss) || this.#reported.has(key)) return;
        this.#reported.add(key);
        const detail = `The protocol ${protocol} cannot express: ${loss}`;
        this.#gate.queueEvent({
          type: 'lossy',
          protocol,
          loss,
          ...(toolCallId !== undefined && { toolCallId }),
          detail,
        });
      },
    };
  }
}

/** Returns the tool parts of messages, each with its tool's name. */
function callsOf(messages: readonly GateMessage[]): ReturnType<StreamContext['calls']> {
  const parts = messages.flatMap((message) => message.parts) as ToolPart[];
  return parts
    .filter(({ toolCallId }) => toolCallId !== undefined)
    .map(
      (part) => ({ toolName: part.type.slice('tool-'.length), ...part }) as ToolPart & { readonly toolName: string },
    );
}

/** The messages of the current turn: those after the last user message. */
const turnOf = (messages: readonly GateMessage[]): readonly GateMessage[] =>
  messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);

/**
 * Whether a history consists of the AI SDK's `UIMessage`s: it has parts that only these have, or no parts that another
 * protocol has. A single damaged message does not make it another protocol's history: the core repairs it.
 */
function isOfAiSdk(history: readonly unknown[]): boolean {
  try {
    return isUiHistory(history);
  } catch {
    // A proxy threw. The codec or the core reads the history with more care.
    return false;
  }
}

/** A part of any history. */
type GivenPart = { readonly type?: unknown } | null | undefined;

/** A message of any history. */
type GivenMessage = { readonly id?: unknown; readonly role?: unknown; readonly parts?: readonly GivenPart[] };

function isUiHistory(history: readonly unknown[]): boolean {
  // Messages of opencode have their role in `info`.
  const parts = history.flatMap((message) => {
    const { parts: own, role } = (message ?? {}) as GivenMessage;
    return Array.isArray(own) && typeof role === 'string' ? own : [];
  });
  if (parts.some(isUiPart)) return true;
  const isUi = (message: GivenMessage | null): boolean =>
    typeof message?.id === 'string' && typeof message.role === 'string' && Array.isArray(message.parts);
  return history.length > 0 && (history as readonly GivenMessage[]).every(isUi) && parts.every(hasType);
}

/** Whether a part has a type, and no fields of TanStack AI's parts. */
const hasType = (part: GivenPart): boolean =>
  typeof part?.type === 'string' && !('content' in part || 'arguments' in part);

/** Whether only `UIMessage`s have parts like this one. */
function isUiPart(part: GivenPart): boolean {
  if (!hasType(part)) return false;
  const { type, text, toolCallId, url, mediaType } = part as Record<string, unknown> & { readonly type: string };
  if (/^(text|reasoning)$/.test(type)) return typeof text === 'string';
  return (
    /^(step-start$|dynamic-tool$|data-|source-)/.test(type) ||
    (type.startsWith('tool-') && typeof toolCallId === 'string') ||
    (type === 'file' && !!url && !!mediaType)
  );
}
