/** What the entries of a chain say about each approval, and which of them contradict the rules. */
import { omitUndefined } from '../json/omit-undefined.js';
import type { Evidence, EvidenceEntry, EvidenceOfApproval, EvidenceProblem, RanEntry } from './evidence-types.js';

type EntryOf<TYPE> = Extract<EvidenceEntry, { readonly type: TYPE }>;
type Decided = EntryOf<'decided'>;

/** An approval, while the chain is read. */
interface Story {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** The input of the latest request. A backend may request an approval again, with another input. */
  inputDigest: string | undefined;
  decided?: Decided;
  readonly keys: string[];
  ran?: RanEntry;
  readonly problems: Set<EvidenceProblem>;
}

/** The call that an entry names. */
type Call = Pick<Story, 'approvalId' | 'toolCallId' | 'toolName'>;

/** Reads the entries in their order. Does not check hashes and signatures. */
export function readStory({ links }: Evidence): EvidenceOfApproval[] {
  const stories = new Stories();
  for (const { entry } of links) {
    if (entry.type === 'requested') requested(stories, entry);
    else if (entry.type === 'decided') decided(stories, entry);
    else if (entry.type === 'delivery') delivered(stories, entry);
    else if (entry.type === 'ran') ran(stories, entry);
  }
  return stories.all.map(({ decided: decision, ran: found, problems, ...about }) => ({
    ...about,
    ...(decision && { decision: decisionOf(decision) }),
    ...(found && { receipt: found.receipt }),
    problems: [...problems],
  }));
}

/** The latest story of each approval id, and all of them. */
class Stories {
  readonly all: Story[] = [];
  readonly #latest = new Map<string, Story>();

  latest(approvalId: string): Story | undefined {
    return this.#latest.get(approvalId);
  }

  add({ approvalId, toolCallId, toolName }: Call, inputDigest: string | undefined, problem?: EvidenceProblem): Story {
    const problems = new Set(problem && [problem]);
    const story: Story = { approvalId, toolCallId, toolName, inputDigest, keys: [], problems };
    this.#latest.set(approvalId, story);
    this.all.push(story);
    return story;
  }

  /** The story of exactly this call. A call that was not requested gets one with this problem. */
  of(call: Call, problem: EvidenceProblem): Story {
    const story = this.latest(call.approvalId);
    return story && isOf(story, call) ? story : this.add(call, undefined, problem);
  }
}

const isOf = (story: Story, { toolCallId, toolName }: Call): boolean =>
  story.toolCallId === toolCallId && story.toolName === toolName;

function requested(stories: Stories, entry: EntryOf<'requested'>): void {
  const known = stories.latest(entry.approvalId);
  // An id that comes again belongs to a new call: the earlier decision does not count for it.
  if (known && !known.decided && isOf(known, entry)) known.inputDigest = entry.inputDigest;
  else stories.add(entry, entry.inputDigest);
}

function decided(stories: Stories, entry: Decided): void {
  const story = stories.of(entry, 'not-shown');
  if (story.inputDigest !== entry.inputDigest) story.problems.add('not-shown');
  if (story.decided) story.problems.add('decided-twice');
  else story.decided = entry;
}

function delivered(stories: Stories, { to, key, approvalIds }: EntryOf<'delivery'>): void {
  if (to !== 'in-flight') return;
  for (const approvalId of approvalIds) {
    const call = { approvalId, toolCallId: '', toolName: '' };
    const story = stories.latest(approvalId) ?? stories.add(call, undefined, 'not-witnessed');
    if (!story.decided) story.problems.add('sent-undecided');
    if (!story.keys.includes(key)) story.keys.push(key);
  }
}

function ran(stories: Stories, entry: RanEntry): void {
  const { receipt } = entry;
  const story = stories.of(receipt, 'not-witnessed');
  const { decided: decision, problems } = story;
  const approvedDigest = decision?.editedInputDigest ?? decision?.inputDigest;
  if (!decision?.approved || receipt.inputDigest !== approvedDigest) problems.add('not-approved');
  if (story.ran) problems.add('ran-twice');
  else story.ran = entry;
}

const decisionOf = ({ approved, by, user, reason, at, editedInputDigest }: Decided): EvidenceOfApproval['decision'] =>
  omitUndefined({ approved, by, user, reason, at, editedInputDigest }) as EvidenceOfApproval['decision'];
