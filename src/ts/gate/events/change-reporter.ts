/**
 * Reports what a command changed: the core's events first, then the events that other parts of the gate queued, then
 * one notification of the listeners of changes. Each event is added to the audit log before it is emitted.
 */
import type { Core } from '../../../../target/bindgen/toolgate.js';
import { NONE } from '../../types/empty-list.js';
import type { HandleTable } from '../../wasm/handle-table.js';
import type { GateEvent } from '../../types/index.js';
import type { AuditLog } from './audit-log.js';
import type { Clock } from '../clock.js';
import type { Environment } from '../environment.js';
import { nextEvent } from './gate-events.js';
import type { Listeners } from '../view/listeners.js';
import type { Outbox } from '../delivery/outbox.js';
import { publicEvents } from '../delivery/rewrite-results.js';
import { nextList, readRecord } from '../../wasm/records.js';

/** The gate, as far as the reporter uses it. */
interface ReportedGate {
  readonly env: Environment;
  readonly listeners: Listeners;
  readonly log: AuditLog;
  readonly outbox: Outbox;
  readonly isCrashed: boolean;
  readonly isFollowing: boolean;
  run<T>(act: (core: Core, handles: HandleTable) => T): T;
  peek<T>(read: (core: Core, handles: HandleTable) => T): T | undefined;
}

/** The reporter of one gate. */
export class ChangeReporter {
  readonly #gate: ReportedGate;
  readonly #clock: Clock;
  /** Events from outside the core that are emitted after the core's. */
  readonly #queuedEvents: GateEvent[] = [];
  /** The revision at the last notification. */
  #notifiedRevision = -1;

  constructor(gate: ReportedGate, clock: Clock) {
    this.#gate = gate;
    this.#clock = clock;
  }

  /** Queues an event from outside the core. */
  queueEvent(event: GateEvent): void {
    this.#queuedEvents.push(event);
  }

  /** Takes the core's events, and lets the app rewrite the results in them. */
  takeEvents(core: Core, handles: HandleTable): readonly GateEvent[] {
    if (!core.hasEvents) return NONE;
    const gate = this.#gate;
    // The leader executes the commands of a follower tab too, and rewrites their results.
    const { texts, rewriteResult } = gate.env.options;
    const events = readRecord(handles, core.take_events(), () => nextList(() => nextEvent(texts)));
    for (const event of events) gate.outbox.record(event);
    return publicEvents(events, gate.isFollowing ? undefined : rewriteResult, (call, event, text, isLate) => {
      const write = (to: Core, values: HandleTable): boolean => to.rewrite(call, values.give(text));
      if (!isLate) write(core, handles);
      // If the core no longer waits for this rewrite, the event was emitted when the core gave it up.
      else if (!gate.isCrashed && gate.run(write)) this.#report(event);
    });
  }

  /** Emits these events and the queued ones. Notifies listeners if `revision` differs from that of the last call. */
  report(events: readonly GateEvent[], revision: number): void {
    const gate = this.#gate;
    const changed = revision !== this.#notifiedRevision;
    this.#notifiedRevision = revision;
    for (const event of events) if (!gate.isCrashed) this.#report(event);
    for (const event of this.#queuedEvents.splice(0)) this.#report(event);
    if (changed && !gate.isCrashed) gate.listeners.changed();
    if (events.length > 0 && gate.listeners.isNotEmpty) this.#expectDeadlines(events);
  }

  /**
   * Updates the clock for the deadlines in these events. Does not read all pending approvals: there may be thousands.
   */
  #expectDeadlines(events: readonly GateEvent[]): void {
    // A listener may have replaced the core.
    this.#gate.peek((core, handles) => {
      if (core.undecided() === 0) return this.#clock.update();
      for (const event of events) {
        if (event.type !== 'transition' || event.approvalId === undefined) continue;
        const approval = handles.find(event.approvalId);
        if (approval !== undefined) this.#clock.expect(Math.abs(core.expires_at(approval)));
      }
    });
  }

  #report(event: GateEvent): void {
    this.#gate.log.add(event, this.#gate.env.now());
    this.#gate.listeners.emit(event);
  }
}
