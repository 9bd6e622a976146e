/**
 * Reads calls, approvals and results from messages: the AI SDK's `ModelMessage` and `UIMessage`, and Effect's prompts.
 * Messages are read in order, because later turns may repeat ids: a result belongs to the last call with its id, and a
 * decision to the last request with its id. Unknown parts are ignored.
 *
 * Notes why the last step cannot be resolved: if an id is missing or comes twice, or if two parts contradict each
 * other. A result could be written beside the wrong call, or beside a decision with which the AI SDK refuses the
 * message from then on.
 */
import { isToolPart, toolNameOf } from '../../types/tool-part.js';
import { fieldsOf, type Fields } from './fields.js';
import { errorAbout, ResolveError } from './resolve-errors.js';
import type { ApprovedCall } from './resolve-types.js';

/** The format of a message. */
type Form = 'model' | 'effect' | 'ui';

/** A call with its position in the history. */
export interface ReadCall extends ApprovedCall {
  readonly form: Form;
  /** The index of its message. */
  readonly at: number;
  /** The number of its step: one model call. */
  readonly step: number;
  /** Its index among all calls. */
  readonly order: number;
  /** The message part of the call. */
  readonly part: Fields;
  /** Whether it has a result. */
  resolved: boolean;
  /** The result in a tool message. */
  result?: Fields;
  /** Whether there is a decision, also one that is neither true nor false. */
  isAnswered?: boolean;
  /** The last approval that was requested for the call. */
  approval?: ReadApproval;
}

/** An approval request, with its decision if there is one. */
export interface ReadApproval {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly step: number;
  readonly order: number;
  /** Undefined if the messages do not contain the call. */
  readonly call: ReadCall | undefined;
  /** The request part, or a UI part's `approval`. It contains the signature. */
  readonly request: Fields;
  /** The request and decision parts. */
  readonly parts: Fields[];
  /** The first decision. */
  answer?: { readonly approved: boolean; readonly reason?: string };
}

/** The calls and approvals of a history. */
export interface ReadHistory {
  /** In order. */
  readonly calls: readonly ReadCall[];
  /** In call order. Only the last approval of each call. */
  readonly approvals: readonly ReadApproval[];
  /** The parts of requests without a call, and of decisions without a request. */
  readonly orphans: ReadonlySet<unknown>;
  /** The number of the last step. */
  readonly lastStep: number;
  /** Why the last step cannot be resolved. Undefined if none of its calls waits for that. */
  readonly problem: ResolveError | undefined;
  /** The first decision of any step that is neither true nor false. */
  readonly noDecision: ResolveError | undefined;
}

/**
 * The states of a part, each with the decisions that fit it; `none` is a call without an approval. A call that ran
 * while the user was asked has a result and no decision.
 */
const STATES =
  /^(input-(streaming|available) none|approval-(requested undefined|responded (true|false))|output-(denied false|(available|error) (none|undefined|true)))$/;

/** How to read a history. */
export interface ReadOptions {
  /** Whether a message of the user ends the step before it, so that its approvals are superseded. */
  readonly userEndsStep?: boolean;
  /** The maximum number of messages and parts. Default: no limit. */
  readonly maxParts?: number;
}

/** Reads a history. Throws `malformed-messages` if it is not an array, and `too-long` for one with too many parts. */
export function readHistory(messages: readonly unknown[], options: ReadOptions = {}): ReadHistory {
  if (!Array.isArray(messages)) throw new ResolveError('malformed-messages', '`messages` must be an array.');
  const reader = new HistoryReader(options);
  messages.forEach((message, at) => reader.message(message, at));
  const approvals = reader.approvals.filter((approval) => !approval.call || approval.call.approval === approval);
  for (const { call, parts } of approvals) if (!call) parts.forEach((part) => reader.orphan(part));
  approvals.sort((a, b) => a.order - b.order);
  const { calls, orphans, step: lastStep, problem, noDecision } = reader;
  const waits = calls.some(
    ({ step, isAnswered, resolved, providerExecuted }) =>
      step === lastStep && isAnswered && !resolved && !providerExecuted,
  );
  return { calls, approvals, orphans, lastStep, noDecision, problem: waits ? problem : undefined };
}

class HistoryReader {
  readonly calls: ReadCall[] = [];
  readonly approvals: ReadApproval[] = [];
  readonly orphans = new Set<unknown>();
  step = 0;
  /** The first problem of this step. */
  problem: ResolveError | undefined;
  noDecision: ResolveError | undefined;
  /** The last call with each id. */
  readonly #calls = new Map<unknown, ReadCall>();
  readonly #requests = new Map<unknown, ReadApproval>();
  readonly #userEndsStep: boolean;
  readonly #maxParts: number;
  #order = 0;
  #read = 0;

  constructor({ userEndsStep = false, maxParts = Infinity }: ReadOptions) {
    this.#userEndsStep = userEndsStep;
    this.#maxParts = maxParts;
  }

  message(message: unknown, at: number): void {
    const { role, parts, content } = fieldsOf(message);
    const isAssistant = role === 'assistant';
    this.#read += 1 + (((Array.isArray(parts) ? parts : fieldsOf(content)).length as number | undefined) ?? 0);
    if (this.#read > this.#maxParts)
      throw new ResolveError('too-long', `\`messages\` have more than ${this.#maxParts} parts (option \`maxParts\`).`);
    if (isAssistant || (role === 'user' && this.#userEndsStep)) this.#nextStep();
    if (Array.isArray(parts)) {
      if (isAssistant) for (const part of parts) this.#uiPart(fieldsOf(part), at);
      return;
    }
    if (!isAssistant && role !== 'tool') return;
    if (!Array.isArray(content)) {
      if (!isAssistant) this.#note('A tool message has no array `content`.');
      return;
    }
    // Read the calls first: a request may precede its call.
    const contentParts = content.map(fieldsOf);
    if (isAssistant) for (const part of contentParts) if (part.type === 'tool-call') this.#call(part, at);
    for (const part of contentParts) {
      const type = this.#text(part, 'type');
      if (type === 'tool-approval-request' && isAssistant) this.#request(part, part);
      else if (type === 'tool-approval-response' && !isAssistant) this.#answer(part);
      else if (type === 'tool-result' && part.preliminary !== true) this.#result(part);
    }
  }

  orphan(part: Fields): void {
    // A decision for the provider is not an orphan, because the provider may know its call.
    if (part.providerExecuted !== true) this.orphans.add(part);
  }

  #nextStep(): void {
    this.step++;
    this.problem = undefined;
  }

  /** Notes a problem of this step. */
  #note(why: string, about: About = {}, code: ProblemCode = 'malformed-messages'): void {
    this.problem ??= errorAbout(code, about, why);
  }

  /** Returns a property that must be a text. Notes a problem if it is not. */
  #text(part: Fields, key: string, code?: ProblemCode): unknown {
    const value = part[key];
    if (typeof value !== 'string') this.#note(`\`${key}\` is missing, or not a text.`, part, code);
    return value;
  }

  #call(part: Fields, at: number): void {
    const isModel = part.toolCallId !== undefined;
    const [toolCallId, toolName, input] = isModel
      ? [part.toolCallId, part.toolName, part.input]
      : [part.id, part.name, part.params];
    this.#addCall({ toolCallId, toolName, input, part, at, form: isModel ? 'model' : 'effect' });
  }

  #uiPart(part: Fields, at: number): void {
    const type = this.#text(part, 'type');
    if (type === 'step-start') this.#nextStep();
    if (typeof type !== 'string' || !isToolPart({ type })) return;
    const { toolCallId, output, errorText } = part;
    const approval = part.approval ? fieldsOf(part.approval) : undefined;
    const state = textOf(part.state);
    const isValid =
      STATES.test(`${state} ${part.approval === undefined ? 'none' : textOf(approval?.approved)}`) &&
      (output === undefined || state === 'output-available') &&
      typeof errorText === (state === 'output-error' ? 'string' : 'undefined');
    if (!isValid)
      this.#note('The `state` does not fit the approval or the result.', { toolCallId, approvalId: approval?.id });
    if (state === 'input-streaming' || typeof this.#text(part, 'toolCallId') !== 'string') return;
    const call = this.#addCall({
      toolCallId,
      toolName: toolNameOf({ ...part, type }),
      input: part.input,
      part,
      at,
      form: 'ui',
    });
    call.resolved = /^output-/.test(state);
    call.isAnswered = state === 'approval-responded';
    if (!approval) return;
    const { id: approvalId, approved, signature } = approval;
    this.#request({ approvalId, toolCallId, signature }, approval);
    // In other states, `approved` is not a decision of the user.
    if (call.isAnswered || (approved !== undefined && call.resolved)) this.#answer({ ...approval, approvalId });
  }

  #addCall({ part, ...call }: Pick<ReadCall, 'part' | 'at' | 'form'> & About & { input: unknown }): ReadCall {
    this.#text(call, 'toolCallId');
    if (!this.#text(call, 'toolName')) this.#note('`toolName` is empty.', call);
    if (this.#calls.get(call.toolCallId)?.step === this.step) this.#note('Two calls of a step have this id.', call);
    const added: ReadCall = {
      // Names that are not texts are noted, so such a call never runs.
      ...(call as typeof call & ApprovedCall),
      ...(part.providerExecuted === true && { providerExecuted: true }),
      part,
      step: this.step,
      order: this.#order++,
      resolved: false,
    };
    this.calls.push(added);
    this.#calls.set(call.toolCallId, added);
    return added;
  }

  /** `request`: the part of a message, or the approval of a UI part. */
  #request(about: Fields, request: Fields): void {
    const { approvalId, toolCallId, signature } = about;
    if (signature !== undefined) this.#text(about, 'signature', 'invalid-signature');
    if (typeof this.#text(about, 'approvalId') !== 'string' || typeof this.#text(about, 'toolCallId') !== 'string')
      return;
    const call = this.#calls.get(toolCallId);
    const known = this.#requests.get(approvalId);
    // The request belongs to the first call only.
    if (known && known.step === this.step && known.call !== call)
      return this.#note('Two calls of a step have this approval.', about);
    // A repeated request does not discard its decision.
    if (known && known.call === call && call?.approval === known) return void known.parts.push(request);
    const order = call?.order ?? this.#order++;
    const names = { approvalId: approvalId as string, toolCallId: toolCallId as string };
    const asked: ReadApproval = { ...names, step: this.step, order, call, request, parts: [request] };
    if (call) call.approval = asked;
    this.approvals.push(asked);
    this.#requests.set(approvalId, asked);
  }

  #answer(part: Fields): void {
    const { approved, reason } = part;
    const asked = this.#requests.get(this.#text(part, 'approvalId'));
    if (!asked) return this.orphan(part);
    asked.parts.push(part);
    if (asked.call) asked.call.isAnswered = true;
    if (typeof approved !== 'boolean') {
      this.noDecision ??= errorAbout('malformed-messages', asked, NO_DECISION);
      return this.#note(NO_DECISION, asked);
    }
    if (reason !== undefined) this.#text(part, 'reason');
    if (asked.answer?.approved === !approved && asked.step === this.step)
      this.#note('It is both approved and denied.', asked);
    asked.answer ??= { approved, ...(typeof reason === 'string' && reason !== '' && { reason }) };
    this.#checkDenial(asked.call);
  }

  #result(part: Fields): void {
    const isModel = part.toolCallId !== undefined;
    const call = this.#calls.get(this.#text(part, isModel ? 'toolCallId' : 'id'));
    if (isModel && typeof fieldsOf(part.output).type !== 'string') this.#note('The result has no output.', part);
    if (!call) return;
    if (call.result && call.step === this.step) this.#note('The call has two results.', call);
    call.resolved = true;
    call.result = part;
    this.#checkDenial(call);
  }

  /** A denial may be written as an error, too. */
  #checkDenial(call: ReadCall | undefined): void {
    if (!call?.result || call.approval?.answer?.approved !== false || call.step !== this.step) return;
    const { output, isFailure } = call.result;
    if (output ? !/^(error|execution)-/.test(textOf(fieldsOf(output).type)) : !isFailure)
      this.#note('The call was denied, and has an output.', call);
  }
}

/** A value as a text, or `object` for one that may have none. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? 'object' : String(value);
}

/** Why a decision cannot be read. */
const NO_DECISION = '`approved` is neither true nor false.';

type ProblemCode = 'malformed-messages' | 'invalid-signature';

/** What an error is about: the names of a call or an approval, as the client has sent them. */
type About = { readonly [NAME in 'toolCallId' | 'toolName' | 'approvalId']?: unknown };
