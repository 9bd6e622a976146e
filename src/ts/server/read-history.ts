/**
 * Reads calls, approvals and results from messages: the AI SDK's `ModelMessage` and `UIMessage`, and Effect's prompts. It goes
 * through them once, in order, because ids may return in a later turn: a result belongs to the last call of its id, an answer
 * to the last request of its id. What it does not know it leaves alone. Nothing is decided here.
 */
import { isToolPart, toolNameOf } from '../types/tool-part.js';
import { quote, ResolveError } from './resolve-errors.js';
import type { ApprovedCall } from './resolve-types.js';

/** Data from outside, of any shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Data = any;

/** How a message is written. */
type Form = 'model' | 'effect' | 'ui';

/** A call where it stands. */
export interface ReadCall extends ApprovedCall {
  readonly form: Form;
  /** The index of its message. */
  readonly at: number;
  /** Which model call it came from, counted. */
  readonly step: number;
  /** Its place among all calls. */
  readonly order: number;
  /** The part: what a `UIMessage` has to be changed at. */
  readonly part: Data;
  /** It has a result. */
  resolved: boolean;
  /** The approval that was asked for last. */
  approval?: ReadApproval;
}

/** A request, with its answer once there is one. */
export interface ReadApproval {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly step: number;
  readonly order: number;
  /** Absent if the messages hold no such call. */
  readonly call: ReadCall | undefined;
  /** Where signatures are: the request part, or a UI part's `approval`. */
  readonly request: Data;
  /** The parts that ask and answer. */
  readonly parts: Data[];
  /** The first answer counts. */
  answer?: { readonly approved: boolean; readonly reason?: string };
}

/** A history as it is read. */
export interface ReadHistory {
  /** In order. */
  readonly calls: readonly ReadCall[];
  /** In call order. Of a call that was asked for again, the last one only. */
  readonly approvals: readonly ReadApproval[];
  /** Requests without a call, and answers without a request: parts of the messages. */
  readonly orphans: ReadonlySet<Data>;
  /** The number of the last step. */
  readonly lastStep: number;
}

/** Reads a history. Throws `malformed-messages` for what is no list, and for an answer that is neither yes nor no. */
export function readHistory(messages: readonly unknown[]): ReadHistory {
  if (!Array.isArray(messages)) throw new ResolveError('malformed-messages', 'messages is no array');
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
  /** The last one of each id. */
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
    // Calls first: a request may stand before its call.
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
    // A provider may know the call of an answer that is for it.
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
    // In any other state an answer is no answer of a user.
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
    // Two calls of a step with one approval id: the first stands, the other is not asked for.
    if (known && known.step === this.step && known.call !== call) return;
    // The same request once more takes nothing back.
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
      const why = `the answer to approval ${quote(approvalId)} has a ${typeof approved} for approved: send true or false`;
      throw new ResolveError('malformed-messages', why, { approvalId: asked.approvalId, toolCallId });
    }
    asked.parts.push(part);
    asked.answer ??= { approved, ...(typeof reason === 'string' && reason !== '' && { reason }) };
  }
}
