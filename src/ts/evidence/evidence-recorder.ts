/** `recordEvidence`: the audit log of a gate as a chain of hashes, with the receipts of the server. */
import { gateOfSource, type GateSource } from '../gate/gate-source.js';
import { internalsOf, type GateInternals } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { guarded } from '../types/report-uncaught.js';
import { refuseUnknown, type KnownOptions } from '../types/option-checks.js';
import type { AuditEntry } from '../types/index.js';
import { checkLinks, headOf, linkOf, VERSION } from './chain.js';
import type { Evidence, EvidenceEntry, EvidenceLink, Receipt } from './evidence-types.js';
import { EvidenceError } from './evidence-error.js';
import { isReceipt } from './evidence-form.js';
import { contentOf, RECEIPT_PART } from './receipt.js';

/** The options of {@link recordEvidence}. */
export interface RecordEvidenceOptions {
  /** The id of the chat: the same after a reload. */
  readonly chatId: string;
  /** Who decides in this page, such as the id of an account. Read at each decision. */
  readonly user?: () => string;
  /** The chain of an earlier page, to be continued. */
  readonly saved?: Evidence;
  /** Called after new links, and by `stop()`, so that the app can store the chain. */
  readonly onChange?: (evidence: Evidence) => void;
}

const OPTIONS: KnownOptions<RecordEvidenceOptions> = { chatId: true, user: true, saved: true, onChange: true };

/** A request that the page showed. */
type Shown = Omit<Extract<AuditEntry, { type: 'requested' }>, 'type'>;

/** The recorder of one gate. `toJSON()` returns the evidence. */
export class EvidenceRecorder {
  readonly #gate: ToolGate;
  readonly #inside: GateInternals;
  readonly #options: RecordEvidenceOptions;
  readonly #links: EvidenceLink[];
  /** The contents of the receipts in the chain. */
  readonly #receipts = new Set<string>();
  /** The messages that were searched for receipts. A message that changes becomes another object. */
  readonly #searched = new WeakSet<object>();
  readonly #unsubscribe: () => void;
  /** The number of links that `onChange` knows. */
  #reported: number;
  #isScheduled = false;

  /** @internal */
  constructor(gate: ToolGate, inside: GateInternals, options: RecordEvidenceOptions) {
    this.#gate = gate;
    this.#inside = inside;
    this.#options = options;
    const { chatId, saved } = options;
    if (saved) checkLinks(saved);
    if (saved && saved.chatId !== chatId)
      throw new EvidenceError('other-chat', `the saved chain is about chat ${JSON.stringify(saved.chatId)}.`);
    this.#links = [...(saved?.links ?? [])];
    this.#reported = this.#links.length;
    for (const { entry } of this.#links) if (entry.type === 'ran') this.#receipts.add(contentOf(entry.receipt));
    const { listeners } = inside.log;
    const listener = (entry: AuditEntry): void => this.#logged(entry);
    listeners.add(listener);
    // A receipt has no event of its own: it is a part of a message.
    const unsubscribe = gate.subscribe(() => this.#schedule());
    this.#unsubscribe = () => (listeners.delete(listener), unsubscribe());
    for (const pending of gate.pending()) this.#addShown({ ...pending, at: pending.requestedAt });
    this.#schedule();
  }

  /** The evidence until now, without a seal. */
  toJSON(): Evidence {
    this.#addReceipts();
    return { version: VERSION, chatId: this.#options.chatId, links: [...this.#links] };
  }

  /** Ends the recording, and reports what `onChange` does not know. The evidence until then stays. */
  stop(): void {
    this.#report();
    this.#unsubscribe();
  }

  #logged(entry: AuditEntry): void {
    const about: { user?: unknown } = {};
    // Read when the decision happens: later, somebody else may be there.
    if (entry.type === 'decided' && entry.by === 'user') guarded(() => (about.user = this.#options.user?.()));
    const { user } = about;
    // A loaded history has requests without entries.
    if (entry.type === 'decided' && entry.by === 'user') this.#addShown(entry);
    this.#add(typeof user === 'string' ? { ...entry, user } : entry);
    this.#schedule();
  }

  /** Reports once for all changes of a turn of the event loop. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#report();
    });
  }

  #report(): void {
    this.#addReceipts();
    if (this.#links.length === this.#reported) return;
    this.#reported = this.#links.length;
    this.#options.onChange?.(this.toJSON());
  }

  /** Adds a request that has no entry of its own: it was there before the recorder began, or was loaded. */
  #addShown({ at, approvalId, toolCallId, toolName, inputDigest }: Shown): void {
    const known = this.#links.findLast(
      ({ entry }) => (entry.type === 'requested' || entry.type === 'decided') && entry.approvalId === approvalId,
    )?.entry;
    const isKnown =
      known?.type === 'requested' &&
      known.toolCallId === toolCallId &&
      known.inputDigest === (inputDigest || undefined);
    if (!isKnown)
      this.#add({ at, type: 'requested', approvalId, toolCallId, toolName, ...(inputDigest && { inputDigest }) });
  }

  /** Adds the receipts in messages that are new or have changed. */
  #addReceipts(): void {
    for (const message of this.#gate.getSnapshot().messages) {
      if (this.#searched.has(message)) continue;
      this.#searched.add(message);
      for (const part of message.parts) {
        if (part.type !== RECEIPT_PART) continue;
        const { data: receipt } = part as unknown as { readonly data: Receipt };
        // The backend may be another one, or the history may have come from elsewhere.
        if (!isReceipt(receipt) || receipt.chatId !== this.#options.chatId) continue;
        const content = contentOf(receipt);
        if (this.#receipts.has(content)) continue;
        this.#receipts.add(content);
        this.#add({ at: this.#inside.env.now(), type: 'ran', receipt });
      }
    }
  }

  #add(entry: EvidenceEntry): void {
    // The clock of the app may have fractions of a millisecond.
    const rounded = { ...entry, at: Math.round(entry.at) };
    this.#links.push(linkOf(headOf({ chatId: this.#options.chatId, links: this.#links }), rounded));
  }
}

/**
 * Records what is shown, decided, sent and run in a chat, from now on, as a chain of hashes. `chat`: a gate, or a
 * guarded chat whose core is loaded. Throws a `TypeError` for anything else and for an unknown option, and an
 * `EvidenceError` for a saved chain that was changed.
 */
export function recordEvidence(chat: NonNullable<GateSource>, options: RecordEvidenceOptions): EvidenceRecorder {
  refuseUnknown('recordEvidence', options, OPTIONS);
  if (typeof options.chatId !== 'string') throw new TypeError('recordEvidence: `chatId` must be a string.');
  const gate = gateOfSource('recordEvidence', chat);
  const inside = internalsOf(gate);
  if (!inside) throw new TypeError('recordEvidence: the gate is of another copy of the package.');
  return new EvidenceRecorder(gate, inside, options);
}
