/**
 * `recordEvidence`: the audit log of a gate as a chain of hashes, with the receipts of the server. Of several tabs,
 * only the leader records; the others say who decides in them.
 */
import { gateOfSource, type GateSource } from '../gate/gate-source.js';
import { internalsOf, type GateInternals } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { guarded } from '../types/report-uncaught.js';
import { refuseUnknown, type KnownOptions } from '../types/option-checks.js';
import type { AuditEntry } from '../types/index.js';
import { ArrivingReceipts } from './arriving-receipts.js';
import { Deciders } from './deciders.js';
import type { Evidence, EvidenceEntry, WebCryptoKey } from './evidence-types.js';
import { EvidenceError } from './evidence-error.js';
import { isText } from './evidence-form.js';
import { foundIn, LoggedApprovals } from './found-approvals.js';
import { RecordedChain } from './recorded-chain.js';
import { say } from '../types/say.js';

/** The options of {@link recordEvidence}. */
export interface RecordEvidenceOptions {
  /** The id of the chat: the same after a reload. */
  readonly chatId: string;
  /** Returns who decides in this page, such as the id of an account. Called at each decision. */
  readonly user?: () => string;
  /**
   * The chain of an earlier page, to be continued. With `toolgate/persist` a function that reads what `onChange` of the
   * last leader stored: it is called each time that this tab becomes the leader.
   */
  readonly saved?: Evidence | null | (() => Evidence | null | undefined);
  /**
   * Called after new links, and by `stop()`, so that the app can store the chain. With `toolgate/persist` only in the
   * leader, and only by `stop()` before the chat with these links is stored.
   */
  readonly onChange?: (evidence: Evidence) => void;
  /** The server's public key, so that a receipt that it does not match is reported when it arrives. */
  readonly publicKey?: WebCryptoKey;
  /**
   * Called with what is wrong with a receipt that arrived, or with the stored chain when this tab becomes the leader.
   * The recording continues. Default: `console.error`.
   */
  readonly onError?: (error: EvidenceError) => void;
}

const OPTIONS: KnownOptions<RecordEvidenceOptions> = {
  ...{ chatId: true, user: true, saved: true, onChange: true, publicKey: true, onError: true },
};

/** The recorder of one gate. `toJSON()` returns the evidence. */
export class EvidenceRecorder {
  readonly #gate: ToolGate;
  readonly #inside: GateInternals;
  readonly #options: RecordEvidenceOptions;
  readonly #chain: RecordedChain;
  readonly #deciders: Deciders;
  readonly #receipts: ArrivingReceipts;
  readonly #unsubscribe: () => void;
  /** The messages that were searched. A message that changes becomes another object. */
  #searched = new WeakSet<object>();
  /** What the audit log says about the time before the recorder. */
  #log: LoggedApprovals;
  /** Whether this tab recorded when it was last asked, and whether it has to look for what it missed until then. */
  #isRecording = false;
  #isBeginning = false;
  /** The number of links that `onChange` knows. */
  #reported = 0;
  #isScheduled = false;
  #isStopped = false;

  /** @internal */
  constructor(gate: ToolGate, inside: GateInternals, options: RecordEvidenceOptions) {
    this.#gate = gate;
    this.#inside = inside;
    this.#options = options;
    const { chatId, publicKey } = options;
    this.#chain = new RecordedChain(chatId);
    this.#continueSaved();
    this.#log = new LoggedApprovals(gate.auditLog());
    this.#receipts = new ArrivingReceipts({
      ...{ chatId, chain: this.#chain, publicKey },
      now: () => inside.env.now(),
      onError: (error) => this.#fail(error),
    });
    this.#deciders = new Deciders(
      inside,
      () => this.#user(),
      () => this.#search(),
    );
    const { listeners } = inside.log;
    const listener = (entry: AuditEntry): void => this.#logged(entry);
    listeners.add(listener);
    // A receipt has no event of its own: it is a part of a message.
    const unsubscribe = gate.subscribe(() => this.#schedule());
    this.#unsubscribe = () => (listeners.delete(listener), unsubscribe(), this.#deciders.stop());
    this.#search();
    this.#schedule();
  }

  /** The evidence until now, without a seal. In a tab that is not the leader: what `saved` returns. */
  toJSON(): Evidence {
    this.#search();
    if (!this.#isRecording && !this.#isStopped) this.#attempt(() => this.#continueSaved());
    return this.#chain.toJSON();
  }

  /** Ends the recording, and reports what `onChange` does not know. The evidence until then stays. */
  stop(): void {
    this.#search();
    this.#report(this.#chain.length);
    this.#unsubscribe();
    this.#isStopped = true;
  }

  #user(): string | undefined {
    let user: string | undefined;
    guarded(() => {
      const given: unknown = this.#options.user?.();
      if (typeof given === 'string') user = given;
      else if (given !== undefined) throw new TypeError(say`recordEvidence: \`user\` must return a string.`);
    });
    return user;
  }

  /** Whether this tab records: it may send. Begins if it did not before. */
  #records(): boolean {
    const wasRecording = this.#isRecording;
    this.#isRecording = !this.#inside.isPaused;
    if (!this.#isRecording || wasRecording) return this.#isRecording;
    this.#isBeginning = true;
    this.#searched = new WeakSet();
    // Another tab may have recorded since. What this one recorded when it no longer led may have come to nothing.
    this.#chain.cut(this.#reported);
    this.#attempt(() => this.#continueSaved());
    return true;
  }

  #continueSaved(): void {
    const { saved } = this.#options;
    const chain = typeof saved === 'function' ? saved() : saved;
    if (!chain) return;
    this.#chain.continue(chain);
    this.#reported = chain.links.length;
  }

  #logged(entry: AuditEntry): void {
    if (!this.#records()) return;
    if (entry.type === 'decided') {
      const { at, approvalId, toolCallId, toolName, inputDigest } = entry;
      const call = { approvalId, toolCallId, toolName, ...(inputDigest !== undefined && { inputDigest }) };
      // It was decided before this tab could look for the request: while the chat was loaded, or by a takeover.
      if (this.#chain.stories.of(call) === undefined) this.#add({ at, type: 'found', ...call });
    }
    const isOfUser = entry.type === 'decided' && entry.by === 'user';
    this.#add(isOfUser ? { ...entry, ...this.#deciders.of(entry.approvalId) } : entry);
    this.#schedule();
  }

  /** Adds what has no entry of its own: approvals that were loaded or were there before, and receipts. */
  #search(): void {
    // While a command is executed, the view may be newer than the log.
    if (this.#isStopped || this.#deciders.isExecuting || !this.#records()) return;
    const { messages } = this.#gate.getSnapshot();
    const news = messages.filter((message) => !this.#searched.has(message));
    if (news.length === 0) return;
    for (const message of news) this.#searched.add(message);
    const found = foundIn(news, {
      stories: this.#chain.stories,
      log: this.#log,
      requestedAt: (id) => this.#gate.pending().find(({ approvalId }) => approvalId === id)?.requestedAt,
      digestOf: this.#inside.digestOf,
      at: this.#inside.env.now(),
      isBeginning: this.#isBeginning,
    });
    this.#isBeginning = false;
    for (const entry of found) this.#add(entry);
    for (const message of news) this.#attempt(() => this.#receipts.addFrom(message));
  }

  /** Reports once for all changes of a turn of the event loop. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    this.#isScheduled = false;
    this.#search();
    const { length } = this.#chain;
    const { persister } = this.#inside;
    if (persister?.isLeader && length > this.#reported) {
      try {
        await persister.claimed();
      } catch {
        // A stored chain must not have what the stored chat lacks after a crash, and a tab that was replaced must not
        // store one. The next change tries again; `stop()` is one.
        return;
      }
    }
    this.#report(length);
  }

  /** Reports the first links. Later ones may not be in the stored chat yet. */
  #report(length: number): void {
    if (this.#isStopped || !this.#records() || length <= this.#reported) return;
    this.#reported = length;
    guarded(() => this.#options.onChange?.(this.#chain.toJSON(length)));
  }

  #add(entry: EvidenceEntry): void {
    this.#attempt(() => this.#chain.add(entry));
  }

  /** Calls `act`, and reports its error: the chat must go on. */
  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#fail(error instanceof EvidenceError ? error : new EvidenceError('malformed-evidence', String(error)));
    }
  }

  #fail(error: EvidenceError): void {
    const { onError = (reported: EvidenceError) => console.error(reported) } = this.#options;
    guarded(() => onError(error));
  }
}

/**
 * Records what is shown, decided, sent and run in a chat, as a chain of hashes. What was there before is recorded as
 * found: see `afterTheFact`. `chat`: a gate, or a guarded chat whose core is loaded. Call it in every tab of a chat:
 * only the leader records, and each tab names the user of its decisions. Throws a `TypeError` for anything else and for
 * an unknown option, and an `EvidenceError` for a saved chain that was changed.
 */
export function recordEvidence(chat: NonNullable<GateSource>, options: RecordEvidenceOptions): EvidenceRecorder {
  refuseUnknown('recordEvidence', options, OPTIONS);
  if (!isText(options.chatId)) throw new TypeError(say`recordEvidence: \`chatId\` must be a well-formed string.`);
  const gate = gateOfSource('recordEvidence', chat);
  const inside = internalsOf(gate);
  if (!inside) throw new TypeError(say`recordEvidence: the gate is of another copy of the package.`);
  return new EvidenceRecorder(gate, inside, options);
}
