/**
 * Approvals that the recorder did not witness: they were there before it began, or came with a loaded history. What is
 * known about them is what the messages say, and the audit log of this page.
 */
import { omitUndefined } from '../json/omit-undefined.js';
import { isToolPart, toolNameOf } from '../types/tool-part.js';
import type { AuditEntry, GateMessage, ToolPart } from '../types/index.js';
import type { FoundEntry } from './evidence-types.js';
import { timeOf } from './evidence-form.js';
import type { Stories, Story } from './story.js';

type EntryOf<TYPE> = Extract<AuditEntry, { readonly type: TYPE }>;
type Decision = NonNullable<FoundEntry['decision']>;

/** What the audit log of a page says about an approval. */
interface Logged {
  requested?: EntryOf<'requested'>;
  decided?: EntryOf<'decided'>;
  readonly keys: string[];
}

/** The approvals of an audit log, by their ids. The last call with an id counts. */
export class LoggedApprovals {
  readonly #approvals = new Map<string, Logged>();

  constructor(entries: readonly AuditEntry[]) {
    for (const entry of entries) {
      if (entry.type === 'requested') this.#approvals.set(entry.approvalId, { requested: entry, keys: [] });
      else if (entry.type === 'decided') this.#of(entry.approvalId).decided ??= entry;
      else if (entry.type === 'delivery' && entry.to === 'in-flight')
        for (const id of entry.approvalIds) this.#of(id).keys.push(entry.key);
    }
  }

  /** What the log says about the approval of this call. */
  find(approvalId: string, toolCallId: string): Logged | undefined {
    const logged = this.#approvals.get(approvalId);
    const { requested, decided } = logged ?? {};
    return (decided ?? requested)?.toolCallId === toolCallId ? logged : undefined;
  }

  #of(approvalId: string): Logged {
    const logged = this.#approvals.get(approvalId) ?? { keys: [] };
    this.#approvals.set(approvalId, logged);
    return logged;
  }
}

/** What the recorder knows when it looks for approvals. */
interface Known {
  readonly stories: Pick<Stories, 'latest' | 'of'>;
  readonly log: LoggedApprovals;
  /** When a pending approval was requested. */
  readonly requestedAt: (approvalId: string) => number | undefined;
  readonly digestOf: (input: unknown) => string;
  readonly at: number;
  /** Whether decisions are compared with those of the chain, because the chat was not recorded before. */
  readonly isBeginning: boolean;
}

/** The approvals in these messages that the chain lacks, or whose decision it lacks, in the order of the calls. */
export function foundIn(messages: readonly GateMessage[], known: Known): FoundEntry[] {
  const found: FoundEntry[] = [];
  for (const { parts } of messages)
    for (const part of parts) if (isToolPart(part) && part.approval) found.push(...missing(part, known));
  return found;
}

function missing(part: ToolPart, known: Known): FoundEntry[] {
  const { stories, log, at, isBeginning } = known;
  const { toolCallId } = part;
  const approvalId = part.approval?.id;
  if (typeof approvalId !== 'string') return [];
  const call = { approvalId, toolCallId, toolName: toolNameOf(part) };
  const story = stories.of(call);
  // An earlier call, whose id came again for another one.
  if (story && story !== stories.latest(approvalId)) return [];
  const shown = decisionIn(part);
  if (story?.decision && !(isBeginning && isContradicted(story, shown))) return [];
  const logged = log.find(approvalId, toolCallId);
  const decided = loggedDecision(logged?.decided, shown, part);
  const decision = decided ? decisionOf(decided) : shown;
  const inputDigest = (decided ? decided.inputDigest : known.digestOf(part.input)) || undefined;
  if (story && !decision && (part.state !== 'approval-requested' || story.inputDigest === inputDigest)) return [];
  const requestedAt = (decision ? undefined : known.requestedAt(approvalId)) ?? logged?.requested?.at;
  const keys = logged && decision && logged.keys.length > 0 ? logged.keys : undefined;
  const times = { requestedAt: requestedAt === undefined ? undefined : timeOf(requestedAt) };
  return [omitUndefined({ at, type: 'found', ...call, inputDigest, ...times, decision, keys }) as FoundEntry];
}

/** Whether the chat shows another decision than the chain, and the chain does not say so yet. */
function isContradicted({ decision, problems }: Story, shown: Decision | undefined): boolean {
  return shown !== undefined && shown.approved !== decision?.approved && !problems.has('decided-twice');
}

/** The decision that a part shows. A call that was closed without one has none. */
function decisionIn({ approval, outcome, decidedBy }: ToolPart): Decision | undefined {
  if (typeof approval?.approved !== 'boolean') return undefined;
  const { approved, reason, isAutomatic } = approval;
  const kind = outcome?.kind;
  if (!approved && kind !== undefined && kind !== 'denied' && kind !== 'expired') return undefined;
  const by = decidedBy ?? (isAutomatic ? 'backend' : 'unknown');
  return { approved, by, ...(typeof reason === 'string' && { reason }) };
}

/** The logged decision, unless the part shows another one. */
function loggedDecision(
  logged: EntryOf<'decided'> | undefined,
  shown: Decision | undefined,
  { outcome }: ToolPart,
): EntryOf<'decided'> | undefined {
  if (!logged || (shown ? shown.approved !== logged.approved : !outcome)) return undefined;
  return logged;
}

function decisionOf({ approved, by, reason, at, editedInputDigest }: EntryOf<'decided'>): Decision {
  return omitUndefined({ approved, by, reason, at: timeOf(at), editedInputDigest }) as Decision;
}
