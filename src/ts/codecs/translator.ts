/**
 * A gate's codec at work: its streams, its histories and its requests, between the protocol and the core. All of it is
 * translation; the core decides.
 */
import { atWork } from '../errors.js';
import type { About, AiSdkBody, GateEvent, GateMessage, OutgoingHead, Protocol, ToolGateOptions } from '../types.js';
import type { Call, Codec, Context, Data, Decision, Entry, Reader } from './codec.js';
import { fold, isCall, requestFor, unfold } from './history.js';

/** Finds the codec of a protocol; undefined for the AI SDK's. */
type CodecOf = (protocol?: Protocol) => Codec | undefined;

/** What a translator asks of its gate. */
export interface TranslatedGate {
  readonly env: { readonly options: ToolGateOptions; freshId(): string };
  /** What the gate shows. */
  view(): { readonly messages: readonly GateMessage[] };
  /** Takes a `lossy` event. */
  lose(event: GateEvent): void;
}

/** From so many losses on those are dropped that were about calls which are gone. */
const MANY = 256;

/** The codec of one gate. */
export class Translator {
  /** Undefined for the AI SDK's protocol. */
  readonly codec: Codec | undefined;
  readonly #codecOf: CodecOf;
  readonly #gate: TranslatedGate;
  readonly #readers = new Map<string | undefined, Reader>();
  /** What was reported as lost, by call. */
  readonly #reported = new Map<string | undefined, Set<string>>();
  #lookAt = MANY;
  /** What the reader at work has made of its event. */
  #chunks: Data[] = [];
  #isReading = false;

  /** `codecOf`: the registry's, which stands above the translator. */
  constructor(codecOf: CodecOf, gate: TranslatedGate) {
    this.#codecOf = codecOf;
    this.#gate = gate;
    this.codec = codecOf(gate.env.options.protocol);
  }

  /**
   * An event as chunks for the core; undefined if it is not the protocol's. Throws `busy` from within an event that
   * is being read.
   */
  chunks(event: unknown, about: About | undefined): readonly unknown[] | undefined {
    if (!this.codec) return [event];
    if (this.#isReading) throw atWork();
    const id = about?.requestId;
    let reader = this.#readers.get(id);
    if (!reader) this.#readers.set(id, (reader = this.codec.reader((chunk) => this.#emit(chunk), () => this.#gate.env.freshId(), () => callsOf(this.#messages.slice(-1)))));
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

  /** Whether an approval takes an edited input. */
  takesEdit(approvalId: string): boolean {
    const { capabilities, editable = () => true } = this.codec ?? {};
    if (capabilities?.editedInput !== true) return false;
    try {
      return editable(callsOf(this.#messages).find(({ approval }) => approval?.id === approvalId)?.approval ?? {});
    } catch {
      // Of what a backend attached nothing is certain.
      return false;
    }
  }

  /**
   * A stream ended: what its reader knew is over. Where only the events or only the ending named the request, they
   * mean the same.
   */
  ended(about: About | undefined): void {
    const id = about?.requestId;
    if (this.#readers.delete(id)) return;
    if (id !== undefined) this.#readers.delete(undefined);
    else if (this.#readers.size === 1) this.#readers.clear();
  }

  /** A history for the core. What is one of the AI SDK's already stays as it is. Throws a `TypeError` for what is none. */
  load(messages: readonly unknown[]): readonly unknown[] {
    if (!this.codec || messages.every(isOfAiSdk)) return messages;
    let entries: Entry[];
    try {
      entries = this.codec.read(messages, this.#context());
    } catch (cause) {
      throw new TypeError(`load: this is no history of "${this.#options.protocol}", nor one of the AI SDK`, { cause });
    }
    for (const part of entries.at(-1)?.content ?? []) {
      if (!isCall(part) || part.result) continue;
      if (this.#options.browserTools?.includes(part.toolName)) part.providerExecuted = false;
      if (!part.request && this.#asks(part)) part.request = requestFor(part);
    }
    return unfold(entries);
  }

  /** The history in a protocol's own form. */
  assemble(model: unknown[], protocol: Protocol | undefined): unknown[] {
    const codec = this.#codecOf(protocol ?? this.#options.protocol);
    return codec ? codec.write(fold(model), this.#context(protocol)) : model;
  }

  /** What the core has to know of the protocol, in the numbers of `src/wasm/mod.rs`. */
  get kind(): number {
    if (!this.codec) return 0;
    const { capabilities, answersFirst, repliesToDenials, resultApproves } = this.codec;
    const isAnswering = capabilities.kind === 'answering';
    // Whoever waits for an answer to each request waits for one to what is cancelled too, in whatever words.
    return Number(isAnswering) + (answersFirst ? 2 : 0) + (capabilities.cancel || isAnswering ? 4 : 0) + (resultApproves ? 8 : 0) + (repliesToDenials ? 16 : 0);
  }

  /** One decision in the protocol's own words, for a codec that has them. */
  answer([decision]: readonly Decision[]): unknown {
    return this.codec?.answer?.(this.#known([decision as Decision])[0] as Decision, this.#context());
  }

  /** What the protocol's own client would put in a request. */
  body(model: unknown[], request: AiSdkBody, decisions: readonly Decision[], item: OutgoingHead): unknown {
    const { id: chatId, messages } = request;
    const codec = this.codec as Codec;
    const history = this.#options.history ?? codec.capabilities.history;
    const metadata = messages.findLast(({ role }) => role === 'assistant')?.metadata;
    const entries = fold(model);
    const news = entries.slice(entries.findLastIndex(({ role }) => role === 'assistant') + 1);
    const context = { ...this.#context(), chatId, history, item, request, metadata, decisions: this.#known(decisions), news };
    return codec.body(entries, context);
  }

  /** The decisions, with nothing that the protocol has no place for. */
  #known(decisions: readonly Decision[]): readonly Decision[] {
    if (!this.codec?.capabilities.remember) decisions.forEach((decision: Data) => delete decision.remember);
    return decisions;
  }

  get #options(): ToolGateOptions {
    return this.#gate.env.options;
  }

  get #messages(): readonly GateMessage[] {
    return this.#gate.view().messages;
  }

  #emit(chunk: Data): void {
    // What the app says is a tool of the browser is not the backend's to run.
    if (chunk.providerExecuted && this.#options.browserTools?.includes(chunk.toolName)) chunk = { ...chunk, providerExecuted: false };
    this.#chunks.push(chunk);
    if (chunk.type === 'tool-input-available' && !chunk.providerExecuted && this.#asks(chunk)) this.#chunks.push(requestFor(chunk));
  }

  #asks({ toolCallId, toolName, input, providerExecuted }: Pick<Call, 'toolCallId' | 'toolName' | 'input' | 'providerExecuted'>): boolean {
    if (!this.codec?.runsHere || providerExecuted) return false;
    const { needsApproval } = this.#options;
    try {
      // Only a plain no lets a call through.
      return needsApproval ? needsApproval({ toolCallId, toolName, input }) !== false : this.codec.asks === true;
    } catch {
      // Whoever cannot say whether to ask is asked.
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

  #context(protocol: Protocol | undefined = this.#options.protocol): Context {
    return {
      texts: this.#options.texts,
      lose: (loss, toolCallId) => {
        if (!this.#codecOf(protocol)?.capabilities.lost.includes(loss)) return;
        if (!this.#isFirst(`${protocol} ${loss}`, toolCallId)) return;
        const detail = `${protocol} has no words for it: ${loss}`;
        this.#gate.lose({ type: 'lossy', protocol: protocol as Protocol, loss, ...(toolCallId !== undefined && { toolCallId }), detail });
      },
    };
  }
}

/** The tool parts of messages, each with its tool's name. */
function callsOf(messages: readonly GateMessage[]): Data[] {
  const parts: Data[] = messages.flatMap((message) => message.parts);
  return parts.filter(({ toolCallId }) => toolCallId !== undefined).map((part) => ({ toolName: part.type.slice('tool-'.length), ...part }));
}

/** Whether a message is one of the AI SDK's `UIMessage`s: its parts all have a type, and none has what those of TanStack AI have. */
function isOfAiSdk(message: unknown): boolean {
  const { id, parts } = (message ?? {}) as { id?: unknown; parts?: unknown };
  return typeof id === 'string' && Array.isArray(parts) && parts.every((part) => typeof part?.type === 'string' && !('content' in part || 'arguments' in part));
}
