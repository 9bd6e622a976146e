/** `recordEvidence`: the audit log of a gate as a chain of hashes, with the receipts of the server. */
import { gateOfSource, type GateSource } from '../gate/gate-source.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { refuseUnknown, type KnownOptions } from '../types/option-checks.js';
import type { AuditEntry, GateEvent } from '../types/index.js';
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
  /** Called after new links, so that the app can store the chain. */
  readonly onChange?: (evidence: Evidence) => void;
}

const OPTIONS: KnownOptions<RecordEvidenceOptions> = { chatId: true, user: true, saved: true, onChange: true };

/** The events that become entries of the audit log. */
const LOGGED: ReadonlySet<GateEvent['type']> = new Set([
  'transition',
  'decision',
  'tool-result',
  'delivery',
  'stalled',
  'anomaly',
]);

/** The recorder of one gate. `toJSON()` returns the evidence. */
export class EvidenceRecorder {
  readonly #gate: ToolGate;
  readonly #options: RecordEvidenceOptions;
  readonly #links: EvidenceLink[];
  /** The contents of the receipts in the chain. */
  readonly #receipts = new Set<string>();
  readonly #unsubscribe: () => void;
  /** The users of the decisions that are not in the chain yet. */
  #users: (string | undefined)[] = [];
  #new = 0;
  #isScheduled = false;

  /** @internal */
  constructor(gate: ToolGate, options: RecordEvidenceOptions) {
    this.#gate = gate;
    this.#options = options;
    if (options.saved) checkLinks(options.saved);
    if (options.saved && options.saved.chatId !== options.chatId)
      throw new EvidenceError('other-chat', `the saved chain is about chat ${JSON.stringify(options.saved.chatId)}.`);
    this.#links = [...(options.saved?.links ?? [])];
    for (const { entry } of this.#links) if (entry.type === 'ran') this.#receipts.add(contentOf(entry.receipt));
    this.#unsubscribe = gate.onEvent((event) => this.#received(event));
    this.#addPending();
    this.#addReceipts();
  }

  /** The evidence until now, without a seal. */
  toJSON(): Evidence {
    this.#record();
    return { version: VERSION, chatId: this.#options.chatId, links: [...this.#links] };
  }

  /** Ends the recording. The evidence until then stays. */
  stop(): void {
    this.#record();
    this.#unsubscribe();
  }

  #received(event: GateEvent): void {
    if (!LOGGED.has(event.type)) return;
    this.#new++;
    if (event.type === 'decision') this.#users.push(event.by === 'user' ? this.#options.user?.() : undefined);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // The log is read once for all events of a turn of the event loop.
    queueMicrotask(() => {
      this.#isScheduled = false;
      const before = this.#links.length;
      this.#record();
      if (this.#links.length > before) this.#options.onChange?.(this.toJSON());
    });
  }

  /** Adds the new entries of the log. */
  #record(): void {
    const count = this.#new;
    this.#new = 0;
    if (count === 0) return;
    const entries = this.#gate.auditLog().slice(-count);
    if (entries.length < count) throw new TypeError('recordEvidence: the option `logLimit` of the gate is too small.');
    for (const entry of entries) {
      const user = entry.type === 'decided' ? this.#users.shift() : undefined;
      this.#add(user === undefined ? entry : { ...entry, user });
      if (entry.type === 'settled') this.#addReceipts(entry);
    }
  }

  /** Adds the requests that were there before the recording. */
  #addPending(): void {
    const open = new Map<string, string | undefined>();
    for (const { entry } of this.#links) {
      if (entry.type === 'requested') open.set(entry.approvalId, entry.inputDigest);
      else if (entry.type === 'decided') open.delete(entry.approvalId);
    }
    for (const { approvalId, toolCallId, toolName, inputDigest, requestedAt: at } of this.#gate.pending()) {
      if (open.has(approvalId) && open.get(approvalId) === inputDigest) continue;
      this.#add({ at, type: 'requested', approvalId, toolCallId, toolName, ...(inputDigest && { inputDigest }) });
    }
  }

  /** Adds the receipts in the messages: those of one call, or all that are not in the chain. */
  #addReceipts(settled?: Extract<AuditEntry, { type: 'settled' }>): void {
    const { messages } = this.#gate.getSnapshot();
    for (let at = messages.length - 1; at >= 0; at--) {
      for (const part of messages[at]?.parts ?? []) {
        if (part.type !== RECEIPT_PART) continue;
        const { data: receipt } = part as unknown as { readonly data: Receipt };
        // The backend may be another one, or the history may have come from elsewhere.
        if (!isReceipt(receipt) || receipt.chatId !== this.#options.chatId) continue;
        if (this.#receipts.has(contentOf(receipt)) || (settled && receipt.toolCallId !== settled.toolCallId)) continue;
        this.#receipts.add(contentOf(receipt));
        this.#add({ at: settled?.at ?? Date.now(), type: 'ran', receipt });
      }
      // A call settles in a recent message. The others were searched at the start.
      if (settled && messages.length - at > RECENT) return;
    }
  }

  #add(entry: EvidenceEntry): void {
    this.#links.push(linkOf(headOf({ chatId: this.#options.chatId, links: this.#links }), entry));
  }
}

/** The number of messages in which a receipt is searched. */
const RECENT = 4;

/**
 * Records what is shown, decided, sent and run in a chat, from now on, as a chain of hashes. `chat`: a gate, or a
 * guarded chat whose core is loaded. Throws a `TypeError` for anything else and for an unknown option, and an
 * `EvidenceError` for a saved chain that was changed.
 */
export function recordEvidence(chat: NonNullable<GateSource>, options: RecordEvidenceOptions): EvidenceRecorder {
  refuseUnknown('recordEvidence', options, OPTIONS);
  if (typeof options.chatId !== 'string') throw new TypeError('recordEvidence: `chatId` must be a string.');
  return new EvidenceRecorder(gateOfSource('recordEvidence', chat), options);
}
