/**
 * What the forms and lists of a gate share: who decided, as far as this page knows; which requests the user has seen,
 * and is denying; and what the list announces. It observes the commands of the gate. After a reload nothing is known
 * about earlier decisions of users, and a card then says nothing about them.
 */
import type { Command } from '../gate/commands.js';
import { internalsOf } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { AnyToolPart, CallStatus } from '../describe/call-status.js';
import type { PendingApproval } from '../types/index.js';
import type { CardTexts } from './texts.js';

/** A form in the page: whether the reason for denying is open, and its card. */
type FormInPage = readonly [isDenying: boolean, card: HTMLElement | undefined];

/**
 * The state that is shared. Its parts have places, not names: the scripts of `toolgate/element` and `toolgate/approval`
 * are minified apart.
 */
export type Shared = readonly [
  /** The forms in the page, by approval. */
  forms: Map<string, FormInPage>,
  /** The requests whose card's heading was in view, or whose card had the focus. */
  seen: WeakSet<PendingApproval>,
  /** Called when `seen` or `forms` changes. */
  listeners: Set<() => void>,
  /** The approvals that were pending while this page showed them. */
  shown: Set<string>,
  /** The approvals that a list has decided together, and announces in one sentence. */
  announced: Set<string>,
  /** The time that each request had at first, in ms. */
  spans: Map<string, number>,
  /** Whether the user approved it here, or in another tab, by approval. */
  here: Map<string, boolean>,
  away: Map<string, boolean>,
];

/** Where a page keeps the states by gate: `toolgate/element` and `toolgate/approval` each contain this module. */
type Page = Record<symbol, WeakMap<ToolGate, Shared>>;

/** The shared state of a gate. The first call begins to observe the gate. */
export function sharedOf(gate: ToolGate): Shared {
  const states = ((globalThis as unknown as Page)[Symbol.for('toolgate.approvals')] ??= new WeakMap());
  const known = states.get(gate);
  if (known) return known;
  const [here, away] = [new Map<string, boolean>(), new Map<string, boolean>()];
  const state: Shared = [new Map(), new WeakSet(), new Set(), new Set(), new Set(), new Map(), here, away];
  states.set(gate, state);
  internalsOf(gate)?.commands.use('app', (command, next) => {
    const decided = command.isForwarded ? away : here;
    const made = decisionsOf(command).filter(([id]) => !decided.has(id));
    // Before `next`, because listeners of the change read it.
    made.forEach(([id, approved]) => decided.set(id, approved));
    try {
      return next(command);
    } catch (error) {
      made.forEach(([id]) => decided.delete(id));
      throw error;
    }
  });
  return state;
}

/** The decisions of a command: the approvals, and whether they are approved. */
function decisionsOf({ name, args }: Command): readonly [approvalId: string, approved: boolean][] {
  if (name === 'respond') return [[args[0], args[1].approved]];
  return name === 'respondAll' ? (args[0].where ?? []).map((id) => [id, args[0].approved]) : [];
}

/** The statuses of a decided call whose note says what happened. */
const SAY_ENOUGH: readonly CallStatus[] = ['forwarded', 'skipped', 'cancelled', 'interrupted'];

/** The sentences that say who decided, and whether it was not what the user decided here; empty if that is unknown. */
export function deciderText(
  gate: ToolGate | undefined,
  { approval, decidedBy }: AnyToolPart,
  status: CallStatus,
  texts: CardTexts,
): string {
  const { id, approved, isAutomatic } = approval ?? {};
  if (!gate || id === undefined || approved === undefined || decidedBy === 'remembered' || SAY_ENOUGH.includes(status))
    return '';
  const [, , , shown, , , here, away] = sharedOf(gate);
  // A request that was pending here and is automatic now was withdrawn: nothing says who decided.
  const isOfServer = isAutomatic && !shown.has(id);
  // The note of a denial says it if a policy or the server denied the call.
  if (decidedBy === 'policy' || isOfServer)
    return status === 'denied' ? '' : isOfServer ? texts.byServer : texts.byPolicy;
  const own = here.get(id);
  if (own === approved) return '';
  // Else the decision came with a reply of the server or with the state of another tab. Neither says who made it.
  const by = away.get(id) === approved ? texts.byOtherTab : shown.has(id) ? texts.elsewhere : '';
  return own === undefined ? by : `${texts.answered} ${by}`;
}
