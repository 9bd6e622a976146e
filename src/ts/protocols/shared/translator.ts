/**
 * A protocol at work in one gate: its streams, its histories and its requests, between the backend and the core. All of it is
 * translation; the core decides.
 */
import { atWork } from '../../types/errors.js';
import type {
  ReplyTo,
  AiSdkBody,
  GateEvent,
  GateMessage,
  OutgoingHead,
  Protocol,
  Repair,
  ToolGateOptions,
} from '../../types/index.js';
import type { Call, Codec, Context, Data, ItemDecision, Reader } from './codec.js';
import { fromModelMessages, isToolCall, requestFor, toModelMessages } from './history.js';

/** What a translator asks of its gate. */
export interface TranslatedGate {
  readonly env: { readonly options: ToolGateOptions; readonly chatId: string; freshId(): string };
  /** What the gate shows. */
  view(): { readonly messages: readonly GateMessage[] };
  /** Takes a `lossy` event. */
  lose(event: GateEvent): void;
}

/** From so many losses on those are dropped that were about calls which are gone. */
const MANY = 256;

/** What a translator has to know of its protocol. */
type Named = Pick<Protocol, 'name' | 'capabilities'>;

/** One protocol at work in one gate. */
export class Translator {
  readonly codec: Codec;
  readonly #protocol: Named;
  readonly #gate: TranslatedGate;
  readonly #readers = new Map<string | undefined, Reader>();
  /** What was reported as lost, by call. */
  readonly #reported = new Map<string | undefined, Set<string>>();
  #lookAt = MANY;
  /** What the reader at work has made of its event. */
  #chunks: Data[] = [];
  #isReading = false;

  constructor(protocol: Named, codec: Codec, gate: TranslatedGate) {
    this.#protocol = protocol;
    this.#gate = gate;
    this.codec = codec;
  }

  /**
   * An event as chunks for the core; undefined if it is not the protocol's. Throws `busy` from within an event that
   * is being read.
   */
  chunks(event: unknown, about: ReplyTo | undefined): readonly unknown[] | undefined {
    if (this.#isReading) throw atWork();
    const id = about?.requestId;
    let reader = this.#readers.get(id);
    if (!reader) this.#readers.set(id, (reader = this.#reader()));
    const made: Data[] = (this.#chunks = []);
    this.#isReading = true;
    try {
      return reader(event) ? made : undefined;
    } catch {
      // What was read of it counts; the rest is malformed, which the core reports for what is no chunk.
      return [...made, undefined];
    } finally {
      this.#isReading = false;
    }
  }

  /** Whether a decision about this approval, as its part has it, can carry an edited input. */
  isEditable(approval: object): boolean {
    if (!this.#protocol.capabilities.editedInput) return false;
    try {
      return this.codec.acceptsEdit?.(approval) ?? true;
    } catch {
      // Of what a backend attached nothing is certain.
      return false;
    }
  }

  /**
   * A stream ended: what its reader knew is over. Where only the events or only the ending named the request, they
   * mean the same.
   */
  ended(about: ReplyTo | undefined): void {
    const id = about?.requestId;
    if (this.#readers.delete(id)) return;
    if (id !== undefined) this.#readers.delete(undefined);
    else if (this.#readers.size === 1) this.#readers.clear();
  }

  /**
   * A history for the core, and what was repaired in it on the way. What is one of the AI SDK's already stays as it is: the core
   * repairs it. Throws for no content.
   */
  load(messages: readonly unknown[]): { readonly history: readonly unknown[]; readonly repairs: readonly Repair[] } {
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
      if (!part.request && this.#asks(part)) part.request = requestFor(part);
    }
    return { history: toModelMessages(entries), repairs };
  }

  /** The history in a protocol's own form. */
  assemble(model: unknown[]): unknown[] {
    return this.codec.write(fromModelMessages(model), this.#context());
  }

  /** What the core has to know of the protocol, in the numbers of `src/wasm/mod.rs`. */
  get kind(): number {
    const { capabilities } = this.#protocol;
    const { answersBeforeMessages, repliesToDenials, resultImpliesApproval, uniqueCallIds } = this.codec;
    const isAnswering = capabilities.kind === 'answering';
    // Whoever waits for an answer to each request waits for one to what is cancelled too, in whatever words.
    const cancels = capabilities.cancel || isAnswering;
    const ignoresRepeats = capabilities.repeat === 'ignored';
    const bits = [
      isAnswering,
      answersBeforeMessages,
      cancels,
      resultImpliesApproval,
      repliesToDenials,
      ignoresRepeats,
      uniqueCallIds,
    ];
    return bits.reduce((kind, bit, at) => kind + (bit ? 1 << at : 0), 0);
  }

  /** One decision in the protocol's own words, for a codec that has them. */
  answer([decision]: readonly ItemDecision[]): unknown {
    return this.codec.answer?.(this.#known([decision as ItemDecision])[0] as ItemDecision, this.#context());
  }

  /** What the protocol's own client would put in a request. */
  body(model: unknown[], request: AiSdkBody, decisions: readonly ItemDecision[], item: OutgoingHead): unknown {
    const { messages } = request;
    const history = this.#options.history ?? this.#protocol.capabilities.history;
    const metadata = messages.findLast(({ role }) => role === 'assistant')?.metadata;
    const entries = fromModelMessages(model);
    const newMessages = entries.slice(entries.findLastIndex(({ role }) => role === 'assistant') + 1);
    const context = {
      ...this.#context(),
      history,
      item,
      request,
      metadata,
      decisions: this.#known(decisions),
      newMessages,
    };
    return this.codec.body(entries, context);
  }

  /** The decisions, with nothing that the protocol has no place for. */
  #known(decisions: readonly ItemDecision[]): readonly ItemDecision[] {
    if (!this.#protocol.capabilities.remember) decisions.forEach((decision: Data) => delete decision.remember);
    return decisions;
  }

  get #options(): ToolGateOptions {
    return this.#gate.env.options;
  }

  get #messages(): readonly GateMessage[] {
    return this.#gate.view().messages;
  }

  #reader(): Reader {
    return this.codec.createReader({
      emit: (chunk) => this.#emit(chunk),
      newId: () => this.#gate.env.freshId(),
      calls: () => callsOf(turnOf(this.#messages)),
      messages: () => this.#messages,
    });
  }

  #emit(chunk: Data): void {
    // A piece that could not be read is the core's to report.
    if (!chunk) return void this.#chunks.push(chunk);
    // What the app says is a tool of the browser is not the backend's to run.
    if (chunk.providerExecuted && this.#options.browserTools?.includes(chunk.toolName))
      chunk = { ...chunk, providerExecuted: false };
    this.#chunks.push(chunk);
    if (chunk.type === 'tool-input-available' && !chunk.providerExecuted && this.#asks(chunk))
      this.#chunks.push(requestFor(chunk));
  }

  #asks({
    toolCallId,
    toolName,
    input,
    providerExecuted,
  }: Pick<Call, 'toolCallId' | 'toolName' | 'input' | 'providerExecuted'>): boolean {
    if (!this.codec.clientRunsTools || providerExecuted) return false;
    const { needsApproval } = this.#options;
    try {
      // Only `false` skips the approval.
      return needsApproval ? needsApproval({ toolCallId, toolName, input }) !== false : this.codec.clientAsks === true;
    } catch {
      // If the app's function throws, ask.
      return true;
    }
  }

  /** Whether this loss has not been reported of the call before. */
  #isFirst(loss: string, toolCallId: string | undefined): boolean {
    let losses = this.#reported.get(toolCallId);
    if (!losses) this.#reported.set(toolCallId, (losses = new Set()));
    if (losses.has(loss)) return false;
    losses.add(loss);
    if (this.#reported.size > this.#lookAt) {
      const present = new Set(callsOf(this.#messages).map((call): unknown => call.toolCallId));
      for (const id of this.#reported.keys()) if (id !== undefined && !present.has(id)) this.#reported.delete(id);
      this.#lookAt = Math.max(MANY, 2 * this.#reported.size);
    }
    return true;
  }

  #context(): Context {
    const { name: protocol, capabilities } = this.#protocol;
    return {
      chatId: this.#gate.env.chatId,
      texts: this.#options.texts,
      reportRepair: () => undefined,
      reportLoss: (loss, toolCallId) => {
        if (!capabilities.lost.includes(loss) || !this.#isFirst(loss, toolCallId)) return;
        const detail = `${protocol} has no words for it: ${loss}`;
        this.#gate.lose({ type: 'lossy', protocol, loss, ...(toolCallId !== undefined && { toolCallId }), detail });
      },
    };
  }
}

/** The tool parts of messages, each with its tool's name. */
function callsOf(messages: readonly GateMessage[]): Data[] {
  const parts: Data[] = messages.flatMap((message) => message.parts);
  return parts
    .filter(({ toolCallId }) => toolCallId !== undefined)
    .map((part) => ({ toolName: part.type.slice('tool-'.length), ...part }));
}

/** The messages of the turn: those after the user's last one. */
const turnOf = (messages: readonly GateMessage[]): readonly GateMessage[] =>
  messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);

/**
 * Whether a history is one of the AI SDK's `UIMessage`s: it has parts that only these have, or parts of nobody else's. One damaged
 * message among them does not make it another protocol's: the core repairs it.
 */
function isOfAiSdk(history: readonly unknown[]): boolean {
  try {
    return isUiHistory(history);
  } catch {
    // A proxy that refuses: its codec, or the core, reads it with care.
    return false;
  }
}

function isUiHistory(history: readonly unknown[]): boolean {
  // Those of opencode say in `info` who speaks.
  const parts = history.flatMap((message) => {
    const { parts: own, role } = (message ?? {}) as Data;
    return Array.isArray(own) && typeof role === 'string' ? (own as Data[]) : [];
  });
  if (parts.some(isUiPart)) return true;
  const isUi = (message: Data): boolean =>
    typeof message?.id === 'string' && typeof message.role === 'string' && Array.isArray(message.parts);
  return history.length > 0 && history.every(isUi) && parts.every(hasType);
}

/** Whether a part has a type, and nothing that those of TanStack AI have. */
const hasType = (part: Data): boolean => typeof part?.type === 'string' && !('content' in part || 'arguments' in part);

/** Whether a part is one of a `UIMessage`, and nobody else's. */
function isUiPart(part: Data): boolean {
  if (!hasType(part)) return false;
  const { type, text, toolCallId, url, mediaType } = part;
  if (/^(text|reasoning)$/.test(type)) return typeof text === 'string';
  return (
    /^(step-start$|dynamic-tool$|data-|source-)/.test(type) ||
    (type.startsWith('tool-') && typeof toolCallId === 'string') ||
    (type === 'file' && !!url && !!mediaType)
  );
}
