/**
 * Who decided an approval, as far as this page knows: the user here, another tab, the server, or a policy. It observes
 * the commands of a gate while cards show it. After a reload nothing is known about earlier decisions of users, and the
 * card then says nothing.
 */
import type { Command } from '../gate/commands.js';
import { internalsOf } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { PendingApproval, ToolPart } from '../types/index.js';
import type { CardTexts } from './card-texts.js';
import type { CallStatus } from '../describe/call-status.js';

/** The text for each decider. */
type Decider = 'byYou' | 'byOtherTab' | 'byPolicy' | 'byServer' | 'elsewhere';

/** The statuses of a call that was decided. The others have no decision, or their notes say what happened. */
const IS_DECIDED: ReadonlySet<CallStatus> = new Set<CallStatus>([
  'running',
  'approved',
  'sending',
  'working',
  'undelivered',
  'unconfirmed',
  'unknown',
  'done',
  'failed',
  'denied',
]);

/** Observes the decisions of one gate. */
export class DecisionObserver {
  readonly #here = new Set<string>();
  readonly #inOtherTab = new Set<string>();
  /** The approvals that were pending while this page watched. */
  readonly #seen = new Set<string>();

  constructor(gate: ToolGate) {
    internalsOf(gate)?.commands.use('app', (command, next) => {
      const ids = decidedBy(command);
      const set = command.isForwarded ? this.#inOtherTab : this.#here;
      const before = ids.filter((id) => !set.has(id));
      // Before `next`, because listeners of the change read it.
      before.forEach((id) => set.add(id));
      try {
        return next(command);
      } catch (error) {
        before.forEach((id) => set.delete(id));
        throw error;
      }
    });
  }

  /** Notes which approvals wait for a decision. */
  see(pending: readonly PendingApproval[]): void {
    for (const { approvalId } of pending) this.#seen.add(approvalId);
  }

  /** The key of the text that says who decided; undefined if that is unknown, or the note of the status says it. */
  decider(part: ToolPart, status: CallStatus): Decider | undefined {
    const { approval, decidedBy } = part;
    if (!approval || decidedBy === 'remembered' || !IS_DECIDED.has(status)) return undefined;
    // The note of a denial says it if a policy or the server denied the call.
    if (decidedBy === 'policy') return status === 'denied' ? undefined : 'byPolicy';
    // A request that was pending here and is automatic now was withdrawn: nothing says who decided.
    const isOfServer = approval.isAutomatic && !this.#seen.has(approval.id);
    if (isOfServer) return status === 'denied' ? undefined : 'byServer';
    if (this.#here.has(approval.id)) return 'byYou';
    if (this.#inOtherTab.has(approval.id)) return 'byOtherTab';
    // The decision came with a reply of the server or with the state of another tab. Neither says who made it.
    return this.#seen.has(approval.id) ? 'elsewhere' : undefined;
  }
}

/** The approvals that a command decides. */
function decidedBy(command: Command): readonly string[] {
  if (command.name === 'respond') return [command.args[0]];
  return command.name === 'respondAll' ? (command.args[0]?.where ?? []) : [];
}

/** The text that says who decided; an empty text if that is unknown. */
export function deciderText(
  observer: DecisionObserver | undefined,
  part: ToolPart,
  status: CallStatus,
  texts: CardTexts,
): string {
  const decider = observer?.decider(part, status);
  return decider === undefined ? '' : texts[decider];
}
