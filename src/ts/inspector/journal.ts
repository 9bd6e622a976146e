/** The lines of the timeline: the gate's audit log, followed by each new event. The number of lines is bounded. */
import { internalsOf } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { AuditEntry, GateEvent, Outcome, WaitingFor } from '../types/index.js';

/** The kind of a line. */
export type Kind = 'transition' | 'decision' | 'delivery' | 'result' | 'anomaly' | 'other';

/** What the chat waits for, by kind. */
export type WaitingKind = WaitingFor['kind'];

/** What the chat waits for now, and the calls that each of it concerns. */
export interface Now {
  readonly kind: WaitingKind;
  readonly calls: readonly string[];
}

/** One line. */
export interface Line {
  /** The number of the line. */
  readonly n: number;
  /** The time in ms since 1970, by the gate's clock. */
  readonly at: number;
  readonly kind: Kind;
  /** The calls that the line concerns. */
  readonly calls: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** A value to show: a result, or received data. */
  readonly value?: unknown;
  /**
   * The state of the call or the request after the line; of a decision, `approved` or `denied`; of a result, its
   * outcome.
   */
  readonly to?: string;
  /** What the chat waited for after the line. Absent for lines from before the inspector was opened. */
  readonly waiting?: readonly WaitingKind[];
}

type LineContent = Omit<Line, 'n' | 'at' | 'waiting'>;

/** Maximum number of lines. */
const LIMIT = 2000;

/** The lines of one gate. */
export class Journal {
  #lines: Line[] = [];
  #n = 0;
  readonly #gate: ToolGate;
  readonly #names = new Map<string, string>();
  /** The call of each approval, and the approvals of each item. */
  readonly #callOf = new Map<string, string>();
  readonly #approvalsOf = new Map<string, readonly string[]>();
  readonly #stop: () => void;

  /** Starts with the entries of the gate's audit log. */
  constructor(gate: ToolGate) {
    this.#gate = gate;
    for (const entry of gate.auditLog()) this.#add(entry.at, this.#ofEntry(entry));
    this.#stop = gate.onEvent((event) => {
      const waiting = gate.getSnapshot().turn.waitingFor.map(({ kind }) => kind);
      this.#add(internalsOf(gate)?.env.now() ?? Date.now(), this.#ofEvent(event), waiting);
    });
  }

  get lines(): readonly Line[] {
    return this.#lines;
  }

  /** The ids of calls in the lines with the names of their tools, in order of appearance. */
  get calls(): ReadonlyMap<string, string> {
    return this.#names;
  }

  /** What the chat waits for now, with the calls that it concerns. */
  waiting(): Now[] {
    return this.#gate.getSnapshot().turn.waitingFor.map((entry) => {
      if (entry.kind === 'user') return { kind: entry.kind, calls: this.#callsOf(entry.approvalIds) };
      if (entry.kind === 'tool') return { kind: entry.kind, calls: entry.toolCallIds };
      if (!('ids' in entry)) return { kind: entry.kind, calls: [] };
      return { kind: entry.kind, calls: entry.ids.flatMap((id) => this.#callsOf(this.#approvalsOf.get(id))) };
    });
  }

  stop(): void {
    this.#stop();
  }

  #callsOf(approvalIds: readonly string[] = []): string[] {
    return approvalIds.flatMap((id) => this.#callOf.get(id) ?? []);
  }

  #add(at: number, content: LineContent | undefined, waiting?: readonly WaitingKind[]): void {
    if (!content) return;
    this.#lines.push({ n: this.#n++, at, ...content, ...(waiting && { waiting }) });
    if (this.#lines.length >= 2 * LIMIT) this.#lines = this.#lines.slice(-LIMIT);
  }

  #ofEvent(event: GateEvent): LineContent | undefined {
    switch (event.type) {
      case 'transition':
        if (event.approvalId !== undefined) this.#callOf.set(event.approvalId, event.toolCallId);
        if (event.from === event.to && event.outcome === undefined) return undefined;
        return this.#call(
          'transition',
          event.toolCallId,
          event.toolName,
          `${event.from ?? 'new'} → ${event.to}${outcomeWords(event.outcome)}`,
          event.to,
        );
      case 'input-changed':
        return this.#call(
          'other',
          event.toolCallId,
          event.toolName,
          `the input changed${event.decisionVoid ? ': the decision is void' : ''}`,
        );
      case 'decision':
        this.#callOf.set(event.approvalId, event.toolCallId);
        return this.#call('decision', event.toolCallId, undefined, decided(event), decisionOf(event));
      case 'tool-result':
        return {
          ...this.#result(event),
          value: event.result,
        };
      case 'delivery': {
        const item = this.#gate.outgoing().find(({ id }) => id === event.id);
        if (item) this.#approvalsOf.set(event.id, item.approvalIds);
        return this.#item(
          event.id,
          `${event.from ?? 'new'} → ${event.to}${attemptWords(event.attempt)}${event.error === undefined ? '' : `: ${event.error}`}`,
          event.to,
        );
      }
      case 'stalled':
        this.#approvalsOf.set(event.id ?? '', event.approvalIds);
        return this.#item(event.id ?? '', 'stalled: nothing more is sent automatically', 'stalled');
      case 'anomaly':
        return this.#anomaly(event.error);
      case 'lossy':
        return {
          kind: 'other',
          calls: event.toolCallId === undefined ? [] : [event.toolCallId],
          subject: 'Cannot be expressed',
          text: event.detail,
        };
      case 'reply-failed':
        return { kind: 'anomaly', calls: [], subject: 'Reply failed', text: event.error };
      case 'crashed':
        return { kind: 'anomaly', calls: [], subject: 'Crashed', text: event.error.message };
      case 'passthrough':
        return {
          kind: 'other',
          calls: [],
          subject: 'Passed through',
          text: 'an event that the protocol does not know',
          value: event.event,
        };
      case 'data':
        return { kind: 'other', calls: [], subject: 'Data', text: event.part.type, value: event.part };
      case 'stopped':
        return { kind: 'other', calls: [], subject: 'Stopped', text: 'by the user' };
      default:
        return undefined;
    }
  }

  #ofEntry(entry: AuditEntry): LineContent {
    switch (entry.type) {
      case 'transition':
        return this.#call(
          'transition',
          entry.toolCallId,
          entry.toolName,
          `${entry.from ?? 'new'} → ${entry.to}`,
          entry.to,
        );
      case 'requested':
        this.#callOf.set(entry.approvalId, entry.toolCallId);
        return this.#call('transition', entry.toolCallId, entry.toolName, 'approval-requested', 'approval-requested');
      case 'decided':
        this.#callOf.set(entry.approvalId, entry.toolCallId);
        return this.#call('decision', entry.toolCallId, entry.toolName, decided(entry), decisionOf(entry));
      case 'settled':
        return this.#result(entry);
      case 'delivery':
        this.#approvalsOf.set(entry.id, entry.approvalIds);
        return this.#item(
          entry.id,
          `${entry.to}${attemptWords(entry.attempt)}${entry.error === undefined ? '' : `: ${entry.error}`}`,
          entry.to,
        );
      case 'anomaly':
        return this.#anomaly(entry);
    }
  }

  #call(kind: Kind, toolCallId: string, toolName: string | undefined, text: string, to?: string): LineContent {
    if (toolName) this.#names.set(toolCallId, toolName);
    const subject = `${this.#names.get(toolCallId) ?? 'call'} ${toolCallId}`;
    return { kind, calls: [toolCallId], subject, text, ...(to !== undefined && { to }) };
  }

  #result({ toolCallId, toolName, outcome }: { toolCallId: string; toolName: string; outcome: Outcome }): LineContent {
    return this.#call('result', toolCallId, toolName, outcome.kind + mayHaveRun(outcome), outcome.kind);
  }

  #item(id: string, text: string, to: string): LineContent {
    const calls = this.#callsOf(this.#approvalsOf.get(id));
    return { kind: 'delivery', calls, subject: id ? `Request ${id}` : 'Resumed reply', text, to };
  }

  #anomaly({
    code,
    message,
    toolCallId,
    approvalId,
  }: {
    code: string;
    message: string;
    toolCallId?: string;
    approvalId?: string;
  }): LineContent {
    const call = toolCallId ?? (approvalId === undefined ? undefined : this.#callOf.get(approvalId));
    return { kind: 'anomaly', calls: call === undefined ? [] : [call], subject: `Anomaly: ${code}`, text: message };
  }
}

const decisionOf = ({ approved }: { approved: boolean }): string => (approved ? 'approved' : 'denied');

function decided({ approved, by, reason }: { approved: boolean; by: string; reason?: string }): string {
  return `${approved ? 'approved' : 'denied'}, by ${by}${reason === undefined ? '' : `: ${reason}`}`;
}

function outcomeWords(outcome: Outcome | undefined): string {
  return outcome ? ` (${outcome.kind}${mayHaveRun(outcome)})` : '';
}

function mayHaveRun({ mayHaveRun: may }: Outcome & { mayHaveRun?: boolean }): string {
  return may ? ', may have run' : '';
}

function attemptWords(attempt: number): string {
  return attempt > 1 ? `, attempt ${attempt}` : '';
}
