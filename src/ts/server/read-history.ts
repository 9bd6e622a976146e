/**
 * Reads calls, approvals and results from messages: the AI SDK's `ModelMessage` and `UIMessage`, and Effect's prompts.
 * Messages are read in order, because later turns may repeat ids: a result belongs to the last call with its id, and a
 * decision to the last request with its id. Unknown parts are ignored.
 */
import { isToolPart, toolNameOf } from '../types/tool-part.js';
import { quote, ResolveError } from './resolve-errors.js';
import type { ApprovedCall } from './resolve-types.js';

/** Untrusted data. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Data = any;

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
  readonly part: Data;
  /** Whether it has a result. */
  resolved: boolean;
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
  readonly request: Data;
  /** The request and decision parts. */
  readonly parts: Data[];
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
  readonly orphans: ReadonlySet<Data>;
  /** The number of the last step. */
  readonly lastStep: number;
}

/**
 * Reads a history. Throws `malformed-messages` if it is not an array, and for a decision that is neither true nor
 * false.
 */
export function readHistory(messages: readonly unknown[]): ReadHistory {
  if (!Array.isArray(messages)) throw new ResolveError('malformed-messages', '`messages` must be an array.');
  const reader = new HistoryReader();
  messages.forEach((message, at) => reader.message(message, at));
  const approvals = reader.approvals.filter((approval) => !approval.call || approval.call.approval === approval);
  for (const { call, parts } of approvals) if (!call) parts.forEach((part) => reader.orphan(part));
  approvals.sort((a, b) => a.order - b.order);
  return { calls: reader.calls, approvals, orphans: reader.orphans, lastStep: reader.step };
}

class HistoryReader {
  readonly calls: ReadCall[] = [];
  readonly approvals: ReadApproval[] = [];
  readonly orphans = new Set<Data>();
  step = 0;
  /** The last call with each id. */
  readonly #calls = new Map<unknown, ReadCall>();
  readonly #requests = new Map<unknown, ReadApproval>();
  #order = 0;

  message(message: Data, at: number): void {
    const [role, parts, content] = [message?.role, message?.parts, message?.content];
    if (role === 'assistant') this.step++;
    if (Array.isArray(parts)) {
      if (role === 'assistant') for (const part of parts) this.#uiPart(part, at);
      return;
    }
    if (!Array.isArray(content) || (role !== 'assistant' && role !== 'tool')) return;
    // Read the calls first: a request may precede its call.
    if (role === 'assistant') for (const part of content) if (part?.type === 'tool-call') this.#call(part, at);
    for (const part of content) {
      if (part?.type === 'tool-approval-request' && role === 'assistant')
        this.#request(part.approvalId, part.toolCallId, part);
      else if (part?.type === 'tool-approval-response' && role === 'tool') this.#answer(part);
      else if (part?.type === 'tool-result') {
        const call = this.#calls.get(part.toolCallId ?? part.id);
        if (call && part.preliminary !== true) call.resolved = true;
      }
    }
  }

  orphan(part: Data): void {
    // A decision for the provider is not an orphan, because the provider may know its call.
    if (part.providerExecuted !== true) this.orphans.add(part);
  }

  #call(part: Data, at: number): ReadCall {
    const isModel = part.toolCallId !== undefined;
    const [toolCallId, toolName, input] = isModel
      ? [part.toolCallId, part.toolName, part.input]
      : [part.id, part.name, part.params];
    return this.#addCall({ toolCallId, toolName, input, part, at, form: isModel ? 'model' : 'effect' });
  }

  #uiPart(part: Data, at: number): void {
    if (part?.type === 'step-start') this.step++;
    if (typeof part?.type !== 'string' || !isToolPart(part)) return;
    if (typeof part.toolCallId !== 'string' || part.state === 'input-streaming') return;
    const { toolCallId, state, approval } = part;
    const toolName = toolNameOf(part);
    const call = this.#addCall({ toolCallId, toolName, input: part.input, part, at, form: 'ui' });
    call.resolved = /^output-/.test(state);
    if (!approval) return;
    this.#request(approval.id, toolCallId, approval);
    // In other states, `approved` is not a decision of the user.
    if (approval.approved !== undefined && (call.resolved || state === 'approval-responded'))
      this.#answer({ ...approval, approvalId: approval.id });
  }

  #addCall({ part, ...call }: Pick<ReadCall, 'toolCallId' | 'toolName' | 'input' | 'part' | 'at' | 'form'>): ReadCall {
    const added: ReadCall = {
      ...call,
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

  #request(approvalId: unknown, toolCallId: unknown, request: Data): void {
    if (typeof approvalId !== 'string' || typeof toolCallId !== 'string') return;
    const call = this.#calls.get(toolCallId);
    const known = this.#requests.get(approvalId);
    // Two calls of a step with the same approval id: the request belongs to the first one only.
    if (known && known.step === this.step && known.call !== call) return;
    // A repeated request does not discard its decision.
    if (known && known.call === call && call?.approval === known) return void known.parts.push(request);
    const order = call?.order ?? this.#order++;
    const asked: ReadApproval = { approvalId, toolCallId, step: this.step, order, call, request, parts: [request] };
    if (call) call.approval = asked;
    this.approvals.push(asked);
    this.#requests.set(approvalId, asked);
  }

  #answer(part: Data): void {
    const { approvalId, approved, reason } = part;
    const asked = this.#requests.get(approvalId);
    if (!asked) return this.orphan(part);
    if (typeof approved !== 'boolean') {
      const { toolCallId } = asked;
      const why = `Invalid \`approved\` of approval ${quote(approvalId)}, of type ${typeof approved}. Send true or false.`;
      throw new ResolveError('malformed-messages', why, { approvalId: asked.approvalId, toolCallId });
    }
    asked.parts.push(part);
    asked.answer ??= { approved, ...(typeof reason === 'string' && reason !== '' && { reason }) };
  }
}
