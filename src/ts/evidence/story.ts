/**
 * What the entries of a chain say about each approval, and which of them contradict the rules. What was recorded after
 * the fact is not a contradiction.
 */
import { omitUndefined } from '../json/omit-undefined.js';
import { wellFormed } from './evidence-form.js';
import type {
  Evidence,
  EvidenceEntry,
  EvidenceFact,
  EvidenceOfApproval,
  EvidenceProblem,
  FoundEntry,
  RanEntry,
} from './evidence-types.js';

type EntryOf<TYPE> = Extract<EvidenceEntry, { readonly type: TYPE }>;

/** Why a receipt does not count. */
export type ReceiptProblem = 'bad-receipt' | 'repeated-receipt';

/** An approval, while the chain is read. */
export interface Story {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** The input of the latest request. A backend may request an approval again, with another input. */
  inputDigest: string | undefined;
  /** The decision, and the input that it approves. */
  decision?: EvidenceOfApproval['decision'];
  approvedDigest?: string | undefined;
  readonly keys: string[];
  ran?: RanEntry;
  readonly afterTheFact: Set<EvidenceFact>;
  readonly problems: Set<EvidenceProblem>;
}

/** The call that an entry names. */
export type Call = Pick<Story, 'approvalId' | 'toolCallId' | 'toolName'>;

/**
 * Reads the entries in their order. Does not check hashes and signatures. `refused`: why receipts do not count, by the
 * index of the link.
 */
export function readStory(
  { links }: Evidence,
  refused: ReadonlyMap<number, ReceiptProblem> = new Map(),
): EvidenceOfApproval[] {
  const stories = new Stories();
  for (const [at, { entry }] of links.entries()) stories.read(entry, refused.get(at));
  return stories.all.map(({ approvedDigest: _, decision, ran, problems, afterTheFact, ...about }) => ({
    ...about,
    ...(decision && { decision }),
    ...(ran && { receipt: ran.receipt }),
    afterTheFact: [...afterTheFact],
    problems: [...problems],
  }));
}

const isOf = (story: Story | undefined, { toolCallId, toolName }: Call): story is Story =>
  story?.toolCallId === toolCallId && story.toolName === toolName;

/** The latest story of each approval id, and all of them. */
export class Stories {
  readonly all: Story[] = [];
  readonly #latest = new Map<string, Story>();
  readonly #calls = new Map<string, Story>();

  /** The latest story with this approval id. */
  latest(approvalId: string): Story | undefined {
    return this.#latest.get(wellFormed(approvalId));
  }

  /** The latest story of exactly this call. An approval id may come again for another call. */
  of(call: Call): Story | undefined {
    return this.#calls.get(nameOf(call));
  }

  /** Reads the next entry. `refused`: why its receipt does not count. */
  read(entry: EvidenceEntry, refused?: ReceiptProblem): void {
    if (entry.type === 'requested') this.#requested(entry);
    else if (entry.type === 'decided') this.#decided(entry);
    else if (entry.type === 'found') this.#found(entry);
    else if (entry.type === 'delivery') this.#delivered(entry);
    else if (entry.type === 'ran') this.#ran(entry, refused);
  }

  #requested(entry: Call & { readonly inputDigest?: string }): Story {
    const known = this.latest(entry.approvalId);
    // An id that comes again belongs to a new call: the earlier decision does not count for it.
    if (!isOf(known, entry) || known.decision) return this.#add(entry, entry.inputDigest);
    known.inputDigest = entry.inputDigest;
    return known;
  }

  #decided(entry: EntryOf<'decided'>): void {
    const { approved, by, user, rule, tab, reason, decidedAt, at, editedInputDigest } = entry;
    const decision = { approved, by, user, rule, tab, reason, at: decidedAt ?? at, editedInputDigest };
    const latest = this.latest(entry.approvalId);
    // A call that was not requested is not the one that was shown.
    const story = isOf(latest, entry) ? latest : this.#add(entry, undefined, 'not-shown');
    this.#decide(story, entry, omitUndefined(decision) as Required<FoundEntry>['decision']);
  }

  #decide(story: Story, { inputDigest }: { readonly inputDigest?: string }, decision: Story['decision']): boolean {
    if (story.inputDigest !== inputDigest) story.problems.add('not-shown');
    if (story.decision) return !story.problems.add('decided-twice');
    story.decision = decision;
    story.approvedDigest = decision?.editedInputDigest ?? inputDigest;
    return true;
  }

  #found(entry: FoundEntry): void {
    const { decision, keys = [] } = entry;
    const known = this.latest(entry.approvalId);
    // A decision that was found belongs to the request that the chain has.
    const isRequested = decision !== undefined && isOf(known, entry);
    const story = isRequested ? known : this.#requested(entry);
    if (!isRequested) story.afterTheFact.add('requested');
    if (decision && this.#decide(story, entry, decision)) story.afterTheFact.add('decided');
    for (const key of keys) if (addKey(story, key)) story.afterTheFact.add('sent');
  }

  #delivered({ to, key, approvalIds }: EntryOf<'delivery'>): void {
    if (to !== 'in-flight') return;
    for (const approvalId of approvalIds) {
      const call = { approvalId, toolCallId: '', toolName: '' };
      const story = this.latest(approvalId) ?? this.#add(call, undefined, 'not-witnessed');
      if (!story.decision) story.problems.add('sent-undecided');
      addKey(story, key);
    }
  }

  #ran(entry: RanEntry, refused: ReceiptProblem | undefined): void {
    const { receipt } = entry;
    const latest = this.latest(receipt.approvalId);
    const story = this.of(receipt) ?? this.#add(receipt, undefined, refused ?? 'not-witnessed');
    // A receipt of an unknown call must not take the place of the approval with this id.
    if (latest) this.#latest.set(receipt.approvalId, latest);
    if (refused) return void story.problems.add(refused);
    if (!story.decision?.approved || receipt.inputDigest !== story.approvedDigest) story.problems.add('not-approved');
    if (story.ran) story.problems.add('ran-twice');
    else story.ran = entry;
  }

  #add(call: Call, inputDigest: string | undefined, problem?: EvidenceProblem): Story {
    const { approvalId, toolCallId, toolName } = call;
    const problems = new Set(problem && [problem]);
    const story: Story = {
      ...{ approvalId, toolCallId, toolName, inputDigest, problems },
      ...{ keys: [], afterTheFact: new Set<EvidenceFact>() },
    };
    this.#latest.set(approvalId, story);
    this.#calls.set(nameOf(call), story);
    this.all.push(story);
    return story;
  }
}

const nameOf = ({ approvalId, toolCallId, toolName }: Call): string =>
  JSON.stringify(wellFormed([approvalId, toolCallId, toolName]));

/** Adds a key to a story. Returns whether it is new. */
function addKey({ keys }: Story, key: string): boolean {
  return !keys.includes(key) && keys.push(key) > 0;
}
