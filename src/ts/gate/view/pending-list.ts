/**
 * The list of the approvals that the user can decide. It is made when it is first read, and then changed with the
 * calls.
 */
import type { Core } from '../../../../target/bindgen/toolgate.js';
import { NONE } from '../../types/empty-list.js';
import { isToolPart, toolNameOf } from '../../types/tool-part.js';
import type { GateMessage, GatePart, PendingApproval, WaitingFor } from '../../types/index.js';
import type { HandleTable } from '../../wasm/handle-table.js';
import { sameItems } from './kept-items.js';
import type { Version } from './message-list.js';
import { pendingApproval } from './pending-approval.js';

/** With more changes than this since the last view, the list is made again when it is read. */
const MAX_CHANGES = 8;

const entries = new WeakMap<object, PendingApproval>();

/** What an approval allows, which depends on the protocol and the options. */
export interface ApprovalRules {
  /** Whether a decision about this approval can carry an edited input. */
  isEditable(approval: object): boolean;
  /** Whether decisions about a tool can be remembered. */
  isRememberable(toolName: string): boolean;
}

/** The lists that all views between two changes of calls share. */
export class PendingOfViews {
  readonly #approvals: PendingApprovals;
  /** The list, once it has been read. */
  list: readonly PendingApproval[] | undefined;
  /** The messages of the newest of these views. */
  version: Version | undefined = undefined;
  /** Who must act, in the newest of these views, and the bits that the core gave for it. */
  waitingFor: readonly WaitingFor[] | undefined = undefined;
  waitingBits = 0;
  /** How many approvals wait in the newest of these views. */
  undecided = 0;

  constructor(approvals: PendingApprovals, list?: readonly PendingApproval[]) {
    this.#approvals = approvals;
    this.list = list;
  }

  /** The list. It is the same one each time. */
  pending(): readonly PendingApproval[] {
    return (this.list ??= this.#approvals.make(this.version?.peek() ?? NONE, this.undecided));
  }
}

/** The pending approvals of one gate. */
export class PendingApprovals {
  /** Whether the gate has ended, so that no other core follows. */
  isOver = false;
  readonly #rules: ApprovalRules;
  #core!: Core;
  #host!: HandleTable;
  /** The last list. */
  #last: readonly PendingApproval[] = NONE;
  #changes = 0;
  #now = new PendingOfViews(this);
  /** The lists of the last view. */
  #viewed: PendingOfViews | undefined;

  constructor(rules: ApprovalRules) {
    this.#rules = rules;
  }

  /** Switches to another core. */
  switchTo(core: Core, host: HandleTable): void {
    this.#core = core;
    this.#host = host;
    this.clear();
  }

  /** Drops the list. The next one is made when it is read. */
  clear(): void {
    this.#now = new PendingOfViews(this);
  }

  /** The lists of a new view. `undecided`: how many approvals wait. */
  forView(version: Version, undecided: number): PendingOfViews {
    this.#changes = 0;
    if (undecided === 0 && this.#now.list?.length !== 0) this.#now = new PendingOfViews(this, this.#keep(NONE));
    this.#now.version = version;
    this.#now.undecided = undecided;
    return (this.#viewed = this.#now);
  }

  /** Completes the list of the last view, before its core is freed. */
  settle(): void {
    this.#viewed?.pending();
  }

  /** The approvals that the user can decide, in call order: the newest `undecided` ones of the turn. */
  make(messages: readonly GateMessage[], undecided: number): readonly PendingApproval[] {
    const result: PendingApproval[] = [];
    for (let at = this.isOver ? 0 : messages.length; result.length < undecided && messages[--at]?.role !== 'user';) {
      const parts = messages[at]?.parts;
      if (!parts) break;
      for (let place = parts.length; place-- > 0;) {
        const entry = this.entryOf(parts[place] as GatePart);
        if (entry) result.push(entry);
      }
    }
    return this.#keep(result.reverse());
  }

  /** The entry of a part whose approval the user can decide. */
  entryOf(part: GatePart): PendingApproval | undefined {
    if (!isToolPart(part) || part.state !== 'approval-requested' || part.approval.isAutomatic) return undefined;
    const known = entries.get(part);
    const approval = this.#host.find(part.approval.id);
    // The approval belongs to an earlier state and is unknown to the present core.
    if (approval === undefined) return known;
    // The part does not show the deadline, which may have changed.
    if (known && Math.abs(this.#core.expires_at(approval)) === (known.expiresAt ?? 0)) return known;
    const rules = this.#rules;
    const toolName = toolNameOf(part);
    const isEditable = rules.isEditable(part.approval);
    const isRememberable = rules.isRememberable(toolName);
    const entry = pendingApproval(part, toolName, this.#core, approval, isEditable, isRememberable);
    entries.set(part, entry);
    return entry;
  }

  /** Updates the list, if it was read, after a part of the last message changed. `isLast`: it is the last part. */
  change(before: GatePart | undefined, now: GatePart, isLast: boolean): void {
    const { list } = this.#now;
    if (!list || this.#changes++ >= MAX_CHANGES) return this.clear();
    const entry = this.entryOf(now);
    const known = before && entries.get(before);
    const at = known ? list.indexOf(known) : -1;
    if (at < 0 && !entry) return;
    // The request belongs to an earlier part, so its place in the list is unknown.
    if (at < 0 && !isLast) return this.clear();
    const next = list.slice();
    if (!entry) next.splice(at, 1);
    else if (at < 0) next.push(entry);
    else next[at] = entry;
    this.#now = new PendingOfViews(this, (this.#last = next.length === 0 ? NONE : next));
  }

  /** Returns the last list if the given one has the same entries. */
  #keep(now: readonly PendingApproval[]): readonly PendingApproval[] {
    return (this.#last = sameItems(this.#last, now) ? this.#last : now);
  }
}
