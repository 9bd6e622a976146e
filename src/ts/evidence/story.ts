/** What the entries of a chain say about each approval, and whether they fit together. */
import type { Evidence, EvidenceEntry, EvidenceOfApproval, RanEntry } from './evidence-types.js';
import { EvidenceError } from './evidence-error.js';

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
}

/**
 * Reads the entries in their order. Throws `not-shown`, `contradiction` and `not-approved` for entries that do not fit
 * the earlier ones. Does not check hashes and signatures.
 */
export function readStory({ links }: Evidence): EvidenceOfApproval[] {
  /** The latest story of each approval id, and all of them. */
  const stories = new Map<string, Story>();
  const all: Story[] = [];
  for (const [at, { entry }] of links.entries()) {
    if (entry.type === 'requested') requested(stories, all, entry);
    else if (entry.type === 'decided') decided(stories, entry, at);
    else if (entry.type === 'delivery') delivered(stories, entry, at);
    else if (entry.type === 'ran') ran(stories, entry, at);
  }
  return all.map(({ decided: decision, ran: found, ...about }) => ({
    ...about,
    ...(decision && { decision: decisionOf(decision) }),
    ...(found && { receipt: found.receipt }),
  }));
}

function requested(stories: Map<string, Story>, all: Story[], entry: EntryOf<'requested'>): void {
  const { approvalId, toolCallId, toolName, inputDigest } = entry;
  const known = stories.get(approvalId);
  if (known && !known.decided && known.toolCallId === toolCallId) {
    known.inputDigest = inputDigest;
    return;
  }
  // An id that comes again belongs to a new call: the earlier decision does not count for it.
  const story: Story = { approvalId, toolCallId, toolName, inputDigest, keys: [] };
  stories.set(approvalId, story);
  all.push(story);
}

function decided(stories: Map<string, Story>, entry: Decided, at: number): void {
  const { approvalId, toolCallId, toolName, inputDigest } = entry;
  const story = stories.get(approvalId);
  const name = JSON.stringify(approvalId);
  if (!story || story.toolCallId !== toolCallId || story.toolName !== toolName)
    throw new EvidenceError('not-shown', `approval ${name} was decided, but not requested for this call.`, at);
  if (story.inputDigest !== inputDigest)
    throw new EvidenceError('not-shown', `approval ${name} was decided for an input that was not shown.`, at);
  if (story.decided) throw new EvidenceError('contradiction', `approval ${name} was decided twice.`, at);
  story.decided = entry;
}

function delivered(stories: Map<string, Story>, { to, key, approvalIds }: EntryOf<'delivery'>, at: number): void {
  if (to !== 'in-flight') return;
  for (const approvalId of approvalIds) {
    const story = stories.get(approvalId);
    if (!story?.decided)
      throw new EvidenceError('contradiction', `approval ${JSON.stringify(approvalId)} was sent undecided.`, at);
    if (!story.keys.includes(key)) story.keys.push(key);
  }
}

function ran(stories: Map<string, Story>, entry: RanEntry, at: number): void {
  const { approvalId, toolCallId, toolName, inputDigest } = entry.receipt;
  const story = stories.get(approvalId);
  const name = JSON.stringify(toolCallId);
  if (story?.toolCallId !== toolCallId || story.toolName !== toolName || !story.decided?.approved)
    throw new EvidenceError('not-approved', `call ${name} ran, but was not approved before.`, at);
  if (inputDigest !== (story.decided.editedInputDigest ?? story.inputDigest))
    throw new EvidenceError('not-approved', `call ${name} ran with an input that was not approved.`, at);
  if (story.ran) throw new EvidenceError('contradiction', `call ${name} ran twice.`, at);
  story.ran = entry;
}

function decisionOf({ approved, by, user, reason, at, editedInputDigest }: Decided): EvidenceOfApproval['decision'] {
  return {
    ...{ approved, by, at },
    ...(user !== undefined && { user }),
    ...(reason !== undefined && { reason }),
    ...(editedInputDigest !== undefined && { editedInputDigest }),
  };
}
