/**
 * The checks of decided calls: the tool of an approved one exists, the server requested approval for exactly this call,
 * and the input matches the tool's schema. All calls are checked before the first one runs.
 */
import { quoted } from '../../json/quoted.js';
import { errorAbout, ResolveError } from './resolve-errors.js';
import { isSent } from './canonical-json.js';
import type { ReadApproval, ReadCall, ReadHistory } from './read-history.js';
import { messageOf } from '../../tools/call-tool.js';
import { parseInput } from '../../tools/standard-schema.js';
import { verifyApproval } from './signature.js';
import { toolOf } from './toolkit.js';
import type { ApprovalRecord, RequestedCall, ResolvableTool, ResolveOptions } from './resolve-types.js';

/** A decided call without a result. */
export interface Decided extends ReadApproval {
  readonly call: ReadCall;
  readonly answer: NonNullable<ReadApproval['answer']>;
}

/** An approved call of the last step whose tool runs here. */
export interface Runnable {
  readonly asked: Decided;
  readonly tool: ResolvableTool;
  /** The recorded request. Undefined without a record. */
  readonly found: RequestedCall | undefined;
  /** Why the call does not run. */
  readonly invalid: ResolveError | undefined;
}

/** What the record has for an approval id: the request of this call, an error for another call, or nothing. */
type OnRecord = RequestedCall | ResolveError | undefined;

/** A denied or superseded call, or an approved one whose tool runs elsewhere. */
export interface OtherCall {
  readonly asked: Decided;
  readonly found: OnRecord;
  /** Whether it was approved, and a later step or message supersedes it. */
  readonly isSuperseded: boolean;
}

/** The decided calls of a history, after all checks. */
export interface CheckedCalls {
  readonly runnable: readonly Runnable[];
  readonly others: readonly OtherCall[];
}

/**
 * Checks the decided calls without a result. Throws `toolkit-required`, `unknown-tool`, `invalid-signature` or
 * `not-on-record`, and with `failureMode: 'throw'` also `invalid-input`.
 */
export async function checkCalls({ approvals, lastStep }: ReadHistory, options: ResolveOptions): Promise<CheckedCalls> {
  const decided = approvals.filter(
    (asked): asked is Decided => !!asked.answer && !!asked.call && !asked.call.resolved && !asked.call.providerExecuted,
  );
  const approved = decided.filter(({ answer, step }) => answer.approved && step === lastStep);
  const tools = findTools(approved, decided, options);
  const here: Omit<Runnable, 'invalid'>[] = [];
  const others: OtherCall[] = [];
  for (const asked of decided) {
    const tool = tools.get(asked);
    if (tool?.execute) {
      here.push({ asked, tool, found: await checkOrigin(asked, options) });
      continue;
    }
    const found = await findRequest(asked, options.record);
    if (found instanceof ResolveError && asked.step === lastStep) throw found;
    others.push({ asked, found, isSuperseded: asked.answer.approved && asked.step !== lastStep });
  }
  const runnable: Runnable[] = [];
  for (const call of here) {
    const invalid = await invalidInput(call.asked, call.tool);
    if (invalid && options.failureMode === 'throw') throw invalid;
    runnable.push({ ...call, invalid });
  }
  return { runnable, others };
}

/**
 * Returns the tools of approved calls. Throws `toolkit-required` if the toolkit is empty; its error names the tools of
 * all decided calls. Throws `unknown-tool` if the toolkit lacks the tool of a call, or has something else for it.
 */
function findTools(
  approved: readonly Decided[],
  decided: readonly Decided[],
  { toolkit }: ResolveOptions,
): Map<Decided, ResolvableTool> {
  const toolNames = Object.keys(toolkit ?? {});
  if (approved.length > 0 && toolNames.length === 0) {
    const needed = [...new Set(decided.map(({ call }) => call.toolName))];
    const why = `No tools for the approved calls. Option \`toolkit\` must contain ${needed.map(quoted).join(', ')}.`;
    throw new ResolveError('toolkit-required', why, { toolNames: needed });
  }
  return new Map(
    approved.map((asked) => {
      const tool = toolOf(toolkit, asked.call.toolName);
      if (tool) return [asked, tool];
      const why = `Unknown tool. Expected one of: ${toolNames.map(quoted).join(', ')}.`;
      throw errorAbout('unknown-tool', requestOf(asked), why, { toolNames });
    }),
  );
}

/**
 * Throws `invalid-signature` or `not-on-record` unless the server requested approval for exactly this call. Returns the
 * recorded request.
 */
async function checkOrigin(
  asked: Decided,
  { secret, verify, record }: ResolveOptions,
): Promise<RequestedCall | undefined> {
  const call = requestOf(asked);
  const signature: unknown = asked.request.signature;
  if (secret !== undefined && !(await verifyApproval(call, signature, secret))) {
    const what = signature === undefined ? 'no signature' : 'a signature for another call, tool or input';
    throw errorAbout('invalid-signature', call, `The approval has ${what}. ${UNCHANGED}`);
  }
  if (verify && (await verify({ ...call, ...(typeof signature === 'string' && { signature }) })) !== true)
    throw errorAbout('invalid-signature', call, 'The approval was rejected by option `verify`.');
  const found = await findRequest(asked, record);
  if (found instanceof ResolveError) throw found;
  if (record && !found)
    throw errorAbout('not-on-record', call, 'The approval is not in the record. Store it when its request is sent.');
  return found;
}

/** Looks for the request of a call in the record. */
async function findRequest(asked: Decided, record: ApprovalRecord | undefined): Promise<OnRecord> {
  const recorded = await record?.requested(asked.approvalId);
  if (!recorded) return undefined;
  const call = requestOf(asked);
  const changed = difference(recorded, call);
  return changed
    ? errorAbout('not-on-record', call, `The record has the approval with another ${changed}. ${UNCHANGED}`)
    : recorded;
}

const UNCHANGED = 'Send back the request unchanged.';

/** The names of a decided call. */
export const namesOf = ({ toolCallId, approvalId, call: { toolName } }: Decided): Omit<RequestedCall, 'input'> => ({
  toolCallId,
  toolName,
  approvalId,
});

/** The request that a decision is about, as the client has sent it. */
export const requestOf = (asked: Decided): RequestedCall => ({ ...namesOf(asked), input: asked.call.input });

/**
 * Returns `invalid-input` unless the input matches the schema, and the schema returns it unchanged: the tool must run
 * with the approved input.
 */
async function invalidInput(asked: Decided, { inputSchema }: ResolvableTool): Promise<ResolveError | undefined> {
  if (inputSchema === undefined) return undefined;
  const { request, call } = asked;
  const { toolCallId, toolName, input } = call;
  let cause: unknown;
  try {
    // The AI SDK stores the original input separately if its schema transformed it.
    const given = structuredClone(Object.hasOwn(request, 'inputSchemaInput') ? request.inputSchemaInput : input);
    if (isSent(await parseInput(inputSchema, given), input)) return undefined;
    cause = new Error('the schema transforms the input, so the tool would not run with the approved one');
  } catch (error) {
    cause = error;
  }
  const why = `Invalid input of call ${quoted(toolCallId)} for tool ${quoted(toolName)}: ${messageOf(cause)}`;
  return new ResolveError('invalid-input', why, { ...namesOf(asked), cause });
}

function difference(recorded: RequestedCall, asked: RequestedCall): string | undefined {
  if (recorded.toolCallId !== asked.toolCallId) return 'call id';
  if (recorded.toolName !== asked.toolName) return 'tool';
  return isSent(recorded.input, asked.input) ? undefined : 'input';
}
