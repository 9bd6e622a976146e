/**
 * Writes a reply as AI SDK chunks. Messages, steps and texts are written in message-writer.ts; this file has the rules
 * for calls, which are the same for all backends: which call an event means, unique ids, completed and changed inputs,
 * requests and results. A reader names a lane, or an id of the wire, and decides nothing.
 */
import { equal } from '../../json/safe-reading.js';
import { asksForSecret } from '../../types/secret-field.js';
import type { AgentQuestions, Question } from '../../types/question.js';
import type { ReplyChunk, StreamContext } from '../../types/protocol-definition.js';
import { unusedId } from './call-ids.js';
import { STAND_IN_MARK } from './stand-ins.js';
import { Lane, type CallHead, type Fields, type LaneWriter } from './lane.js';
import { MALFORMED, MessageWriter } from './message-writer.js';

/** The fields of a call that the model did not make: a request that names no call. It has no result. */
export const STAND_IN: Fields = { providerExecuted: true, dynamic: true, providerMetadata: STAND_IN_MARK };

/** The call that an approval request is about, as far as the request says. */
export interface AskedCall {
  /** The call's id on the wire. Absent: the first open call with this name and input, else a call of its own. */
  readonly toolCallId?: string | undefined;
  /** The tool's name, if the request has it. */
  readonly toolName?: string | undefined;
  /** The input, if the request has it. It completes the call, or replaces its input. */
  readonly input?: unknown;
  /** More fields for a call that the request introduces, such as `title`. */
  readonly more?: Fields;
}

/** A call of the turn: what the gate shows, or what this reply has written since. */
export interface KnownCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input?: unknown;
  readonly state?: string;
  readonly approval?: { readonly id: string; readonly approved?: boolean };
  readonly delivery?: unknown;
  readonly outcome?: unknown;
  readonly output?: unknown;
  readonly errorText?: unknown;
}

/** Throws for a call without an id or a name, before a reader stores anything about it. @internal */
export function assertCall(toolCallId: unknown, toolName: unknown): asserts toolCallId is string {
  if (typeof toolCallId !== 'string' || typeof toolName !== 'string')
    throw new TypeError('expected a call with an id and a name');
}

/** What differs between backends. */
export interface WriterOptions {
  /**
   * This backend reports a denied call as a result that does not say so. Such a result then only confirms the user's
   * denial.
   */
  readonly isDenialAnOutput?: boolean;
  /** The wire has no event for the end of a step: content after the results of all calls of the step begins another. */
  readonly stepEndsWithResults?: boolean;
}

/** Writes one stream as AI SDK chunks. Create one in `createReader`, with its argument. */
export class ReplyWriter extends MessageWriter {
  readonly #context: Partial<StreamContext>;
  readonly #options: WriterOptions;
  readonly #lanes = new Map<unknown, Lane>();
  /** The calls of this reply by the ids that the gate shows, and these ids by the newest id of the wire. */
  readonly #calls = new Map<string, KnownCall>();
  readonly #ids = new Map<unknown, string>();
  readonly #used = new Set<string>();
  /** The calls of the step without a result, and whether a result came. */
  readonly #running = new Set<string>();
  #hasResults = false;

  /** Accepts the context of `createReader`. */
  constructor(context: Pick<StreamContext, 'emit'> & Partial<StreamContext>, options: WriterOptions = {}) {
    super(context.emit);
    this.#context = context;
    this.#options = options;
    // A reader that ends its reply itself replaces this.
    context.onEnd?.(() => this.endStep());
  }

  /**
   * Returns the lane with this key: whatever the wire uses to tell calls apart, such as an index. If that is not the id
   * itself, a repeated id is replaced by one that is unique in the step. The end of a step closes all lanes, and keys
   * may come again after it.
   */
  lane(key: unknown): Lane {
    let lane = this.#lanes.get(key);
    if (!lane) this.#lanes.set(key, (lane = new Lane(key, this.#laneWriter)));
    return lane;
  }

  /** The newest call of the turn with this id, as the gate shows it. */
  shown(toolCallId: string | undefined): KnownCall | undefined {
    return this.#turn().findLast((call) => call.toolCallId === toolCallId);
  }

  /** The complete input of a call of the turn, as it was last written or shown; undefined if it has none yet. */
  inputOf(toolCallId: string | undefined): unknown {
    return this.#find(toolCallId)?.input;
  }

  /** Emits a call with a complete input, as one event of the wire gives it. Throws for one without an id or a name. */
  call(toolCallId: string | undefined, toolName: string | undefined, input: unknown, more?: Fields): void {
    assertCall(toolCallId, toolName);
    this.#ids.set(toolCallId, toolCallId);
    this.#laneWriter.complete({ toolCallId, toolName, ...more } as CallHead, input, undefined);
  }

  /**
   * Reports that the input, the name or other fields of a known call have changed. A decision of the user that was not
   * sent is then void, if the input differs. An unknown call is added, if the name is given.
   */
  update(toolCallId: string | undefined, { toolName, input, more }: Omit<AskedCall, 'toolCallId'>): void {
    const known = this.#find(toolCallId);
    if (!known) return this.call(toolCallId, toolName, input, more);
    const lane = this.#laneOf(known.toolCallId);
    if (lane && known.state === 'input-streaming') return lane.complete(input, more);
    const now = { ...known, ...(toolName !== undefined && { toolName }), ...(input !== undefined && { input }) };
    this.#calls.set(now.toolCallId, now);
    const { toolCallId: id, toolName: name } = now;
    this.emit({ type: 'tool-input-update', ...more, toolCallId: id, toolName: name, input: now.input });
  }

  /**
   * Requests an approval, and returns the id of its call. A request with an input completes its call, or changes the
   * call's input; a request about a call that nobody announced is a call of its own. `envelope`: fields that the
   * approval keeps, such as `requestReason`, `expiresAt`, and one named after the protocol. Throws for a request
   * without an id, or with neither a known call nor a name.
   */
  ask(approvalId: string | undefined, { toolCallId, toolName, input, more }: AskedCall, envelope?: Fields): string {
    if (typeof approvalId !== 'string') throw new TypeError('expected a request with an id');
    const known = toolCallId === undefined ? this.#same(toolName, input) : this.#find(toolCallId);
    const id = known?.toolCallId ?? toolCallId ?? approvalId;
    const isSame = known?.state !== 'input-streaming' && equal(known?.input, input) && !more;
    const changes = known && input !== undefined && !isSame;
    // The input of a decision that was sent stays: the request, which replaces that decision, then comes first.
    const { approval, delivery } = this.shown(id) ?? {};
    const isSent = approval?.approved !== undefined && !/^(held|ready)$/.test(`${delivery}`);
    if (!known) this.call(id, toolName, input, { ...(toolCallId === undefined && STAND_IN), ...more });
    const update = (): void => {
      if (changes) this.update(toolCallId ?? id, { toolName, input, ...(more && { more }) });
    };
    if (!isSent) update();
    this.emit({ type: 'tool-approval-request', approvalId, toolCallId: id, ...envelope });
    if (isSent) update();
    return id;
  }

  /**
   * Emits the result of a call, or with `failed` its error text. The call may belong to an earlier step or reply. If
   * the user denied or cancelled the call, a failure only confirms that. Returns whether the result was emitted.
   */
  result(toolCallId: string | undefined, value: unknown, failed: boolean, more?: Fields): boolean {
    const id = this.#ids.get(toolCallId) ?? (toolCallId as string);
    this.#laneOf(id)?.end();
    this.#running.delete(id);
    // After the result of a tool that the provider ran, the model continues in the same step.
    this.#hasResults ||= !more?.['providerExecuted'];
    if ((failed || this.#options.isDenialAnOutput) && this.confirmDecision(id)) return false;
    // The same result again: servers repeat what they were sent.
    const { outcome, output, errorText } = this.shown(id) ?? {};
    if (outcome !== undefined && equal(failed ? errorText : output, value)) return false;
    const result = failed
      ? { type: 'tool-output-error', errorText: value }
      : { type: 'tool-output-available', output: value };
    this.emit({ ...result, toolCallId: id, ...more });
    return true;
  }

  /**
   * Returns whether the user denied or cancelled a call, so that a text of the backend about it is not a result. If the
   * user denied it, emits the backend's confirmation.
   */
  confirmDecision(toolCallId: string | undefined): boolean {
    const { approval, outcome } = this.shown(toolCallId) ?? {};
    const isDenied = approval?.approved === false;
    if (isDenied) this.emit({ type: 'tool-output-denied', toolCallId });
    return isDenied || (outcome as { kind?: unknown } | undefined)?.kind === 'cancelled';
  }

  /**
   * Asks the user a question: a call of the page, whose output is the `QuestionAnswer`. `id`: the call's id.
   * `toolName`: the name that the card shows. `envelope`: the provider metadata that the answer needs. Returns false,
   * and asks nothing, if the question asks for a secret, which would be stored with the chat.
   */
  question(id: string, question: Question | AgentQuestions, toolName = 'ask_user', envelope?: Fields): boolean {
    if (asksForSecret((question as Question).requestedSchema)) return false;
    const providerMetadata = { ...envelope, ...STAND_IN_MARK, toolgate: { runsInPage: true } };
    this.call(id, toolName, question, { dynamic: true, providerMetadata });
    return true;
  }

  /** Completes all inputs that are still streaming, because an event shows that the model has finished. */
  override endInputs(): void {
    for (const lane of this.#lanes.values()) lane.end();
    this.#lanes.clear();
    this.#used.clear();
  }

  /** Whether the step has results, and no call without one: content of another model call begins another step. */
  get isStepOver(): boolean {
    return this.#hasResults && this.#running.size === 0;
  }

  protected override beforeContent({ type }: ReplyChunk): void {
    if (this.#options.stepEndsWithResults && this.isStepOver && !/-(delta|end)$/.test(type)) this.endStep();
  }

  protected override forgetStep(): void {
    this.#running.clear();
    this.#hasResults = false;
  }

  protected override forgetCalls(): void {
    this.#lanes.clear();
    this.forgetStep();
    this.#calls.clear();
    this.#ids.clear();
    this.#used.clear();
  }

  /** The newest call with this id of the wire: of this reply, or else of the turn. */
  #find(wireId: string | undefined): KnownCall | undefined {
    const id = this.#ids.get(wireId) ?? (wireId as string);
    return this.#calls.get(id) ?? this.shown(id);
  }

  #turn(): readonly KnownCall[] {
    return this.#context.calls?.() ?? [];
  }

  /** The first call that a request with this name and input, but without an id, can be about. */
  #same(toolName: string | undefined, input: unknown): KnownCall | undefined {
    const shown = this.#turn().filter(({ outcome, approval }) => outcome === undefined && approval === undefined);
    const asked = [...shown, ...this.#calls.values()];
    return asked.find((call) => call.toolName === toolName && equal(call.input, input));
  }

  #laneOf(toolCallId: string): Lane | undefined {
    return [...this.#lanes.values()].find(({ id }) => id === toolCallId);
  }

  readonly #laneWriter: LaneWriter = {
    begin: (key, wireId, toolName, more) => {
      const given = wireId ?? this.#context.newId?.() ?? '';
      assertCall(given, toolName);
      const toolCallId = given === key ? given : unusedId(given, this.#used);
      const head: CallHead = { toolCallId, toolName, ...more };
      this.#ids.set(given, toolCallId);
      this.#calls.set(toolCallId, { ...head, state: 'input-streaming' });
      this.#running.add(toolCallId);
      this.content({ type: 'tool-input-start', ...head });
      return head;
    },
    piece: ({ toolCallId }, inputTextDelta) => this.content({ type: 'tool-input-delta', toolCallId, inputTextDelta }),
    complete: (head, input, more) => {
      this.#calls.set(head.toolCallId, { ...head, input });
      this.content({ type: 'tool-input-available', ...head, ...more, input });
      this.#running.add(head.toolCallId);
    },
    compare: ({ toolCallId }, input, more) => {
      if (!equal(this.#calls.get(toolCallId)?.input, input)) this.update(toolCallId, { input, ...(more && { more }) });
    },
    invalid: (head, input, more) => {
      this.#calls.delete(head.toolCallId);
      const errorText = 'Tool call input is not valid JSON.';
      this.content({ type: 'tool-input-error', ...head, ...more, input, errorText });
    },
    malformed: () => this.emit(MALFORMED),
  };
}
