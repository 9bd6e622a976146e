/**
 * What must be true before an approved call may run: there is a tool for it, the server asked for exactly this, and the input
 * is what the tool takes. All calls are checked before the first one runs.
 */
import { refuseUnknown, type KnownOptions } from '../types/option-checks.js';
import { quote, ResolveError } from './resolve-errors.js';
import { asSent, canonicalJson } from './canonical-json.js';
import type { ReadApproval, ReadCall } from './read-history.js';
import { messageOf } from '../tools/call-tool.js';
import { parseInput } from '../tools/standard-schema.js';
import { verifyApproval } from './signature.js';
import { toolOf } from './toolkit.js';
import type { RequestedCall, ResolvableTool, ResolveOptions } from './resolve-types.js';

/** An approved call that is to run. */
export type Runnable = ReadApproval & { readonly call: ReadCall };

const OPTIONS: KnownOptions<ResolveOptions> = {
  toolkit: true,
  concurrency: true,
  failureMode: true,
  abortSignal: true,
  secret: true,
  verify: true,
  record: true,
  toolsContext: true,
  deniedText: true,
  errorText: true,
  strip: true,
};

/** Throws a `TypeError` for options that would quietly mean something else. */
export function checkOptions(options: ResolveOptions): void {
  refuseUnknown('resolveApprovals', options, OPTIONS);
  const { concurrency = 1, failureMode = 'result' } = options;
  if (!(concurrency === Infinity || (Number.isInteger(concurrency) && concurrency > 0))) {
    throw new TypeError('resolveApprovals: concurrency is a whole number above 0, or Infinity');
  }
  if (failureMode !== 'result' && failureMode !== 'throw')
    throw new TypeError("resolveApprovals: failureMode is 'result' or 'throw'");
  // A missing environment variable must not turn the check off.
  if ('secret' in options && !options.secret?.length)
    throw new TypeError('resolveApprovals: the secret is empty; leave the option out to check nothing');
}

/**
 * The tools of approved calls. Throws `toolkit-required` if there are no tools at all; `names` are those of all calls that are
 * answered and have no result. Throws `unknown-tool` for a call without one.
 */
export function findTools(
  approved: readonly Runnable[],
  names: readonly string[],
  { toolkit }: ResolveOptions,
): ResolvableTool[] {
  const toolNames = Object.keys(toolkit ?? {});
  if (approved.length > 0 && toolNames.length === 0) {
    throw new ResolveError('toolkit-required', `approved calls wait for a toolkit: ${names.map(quote).join(', ')}`, {
      toolNames: names,
    });
  }
  return approved.map(({ call: { toolName, toolCallId }, approvalId }) => {
    const tool = toolOf(toolkit, toolName);
    if (tool) return tool;
    const why = `the approved call ${quote(toolCallId)} names the tool ${quote(toolName)}; there is ${toolNames.map(quote).join(', ')}`;
    throw new ResolveError('unknown-tool', why, { toolCallId, approvalId, toolName, toolNames });
  });
}

/** Throws `invalid-signature` or `not-on-record` unless the server asked for exactly this call. */
export async function checkOrigin(approval: Runnable, { secret, verify, record }: ResolveOptions): Promise<void> {
  const { approvalId, toolCallId, call, request } = approval;
  const { toolName, input } = call;
  const asked: RequestedCall = { approvalId, toolCallId, toolName, input };
  const signature: unknown = request.signature;
  const about = { approvalId, toolCallId, toolName };
  const name = `approval ${quote(approvalId)} of the call ${quote(toolCallId)} (${quote(toolName)})`;
  if (secret !== undefined && !(await verifyApproval(asked, signature, secret))) {
    const why =
      signature === undefined ? 'has no signature' : 'has a signature that was made for another call, tool or input';
    throw new ResolveError('invalid-signature', `${name} ${why}: answer the request as it was sent`, about);
  }
  if (verify && (await verify({ ...asked, ...(typeof signature === 'string' && { signature }) })) !== true) {
    throw new ResolveError('invalid-signature', `${name} was refused by verify`, about);
  }
  if (!record) return;
  const recorded = await record.get(approvalId);
  if (!recorded) throw new ResolveError('not-on-record', `${name} was never asked for`, about);
  const changed = difference(recorded, asked);
  if (changed) throw new ResolveError('not-on-record', `${name} was asked for with another ${changed}`, about);
}

/** Throws `invalid-input` unless the tool takes the input, and takes it as it stands: what was approved is what runs. */
export async function checkInput(
  { call, approvalId, request }: Runnable,
  { inputSchema }: ResolvableTool,
): Promise<void> {
  if (inputSchema === undefined) return;
  const { toolCallId, toolName, input } = call;
  let cause: unknown;
  try {
    // The AI SDK keeps an input beside what its schema made of it, where these differ.
    const given = structuredClone(Object.hasOwn(request, 'inputSchemaInput') ? request.inputSchemaInput : input);
    const parsed = await parseInput(inputSchema, given);
    if (same(parsed, input)) return;
    cause = new Error('the schema makes something else of it than what was approved');
  } catch (error) {
    cause = error;
  }
  const why = `the input of the call ${quote(toolCallId)} is not what ${quote(toolName)} takes: ${messageOf(cause)}`;
  throw new ResolveError('invalid-input', why, { toolCallId, approvalId, toolName, cause });
}

function difference(recorded: RequestedCall, asked: RequestedCall): string | undefined {
  if (recorded.toolCallId !== asked.toolCallId) return 'call id';
  if (recorded.toolName !== asked.toolName) return 'tool';
  // What the page was sent is what JSON made of the record's input.
  return same(asSent(recorded.input), asked.input) ? undefined : 'input';
}

/** Whether two values are the same JSON, 0 and -0 told apart. */
function same(a: unknown, b: unknown): boolean {
  try {
    return canonicalJson(a ?? null) === canonicalJson(b ?? null);
  } catch {
    return false;
  }
}
