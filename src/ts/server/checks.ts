/**
 * The checks before an approved call runs: its tool exists, the server requested approval for exactly this call, and
 * the input matches the tool's schema. All calls are checked before the first one runs.
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

/** An approved call to run. */
export type Runnable = ReadApproval & { readonly call: ReadCall };

const OPTIONS: KnownOptions<ResolveOptions> = {
  toolkit: true,
  concurrency: true,
  failureMode: true,
  abortSignal: true,
  secret: true,
  verify: true,
  record: true,
  receipts: true,
  toolsContext: true,
  deniedText: true,
  errorText: true,
  strip: true,
};

/** Throws a `TypeError` for unknown options and invalid values. */
export function checkOptions(options: ResolveOptions): void {
  refuseUnknown('resolveApprovals', options, OPTIONS);
  const { concurrency = 1, failureMode = 'result' } = options;
  if (!(concurrency === Infinity || (Number.isInteger(concurrency) && concurrency > 0))) {
    throw new TypeError('resolveApprovals: invalid option `concurrency`. Expected a positive integer or Infinity.');
  }
  if (failureMode !== 'result' && failureMode !== 'throw')
    throw new TypeError("resolveApprovals: invalid option `failureMode`. Expected 'result' or 'throw'.");
  const { receipts } = options;
  // Before any tool runs, because a call that has run must have its receipt.
  if (receipts && !(isSigningKey(receipts.key) && typeof receipts.chatId === 'string'))
    throw new TypeError(
      'resolveApprovals: invalid option `receipts`. Expected { key, chatId }, with a private ECDSA key (P-256) that can sign.',
    );
  // A missing environment variable must not turn the check off.
  if ('secret' in options && !options.secret?.length)
    throw new TypeError(
      'resolveApprovals: option `secret` is empty. Set a secret, or omit the option to skip the check.',
    );
}

/** Whether a value is a private ECDSA key with the curve P-256. */
function isSigningKey(key: unknown): boolean {
  const { type, usages, algorithm } = Object(key) as Partial<CryptoKey>;
  const { name, namedCurve } = Object(algorithm) as Partial<EcKeyAlgorithm>;
  return type === 'private' && usages?.includes('sign') === true && name === 'ECDSA' && namedCurve === 'P-256';
}

/**
 * Returns the tools of approved calls. `names`: the tool names of all decided calls without a result. Throws
 * `toolkit-required` if the toolkit is empty, and `unknown-tool` if it lacks the tool of a call.
 */
export function findTools(
  approved: readonly Runnable[],
  names: readonly string[],
  { toolkit }: ResolveOptions,
): ResolvableTool[] {
  const toolNames = Object.keys(toolkit ?? {});
  if (approved.length > 0 && toolNames.length === 0) {
    throw new ResolveError(
      'toolkit-required',
      `No tools for the approved calls. Option \`toolkit\` must contain ${names.map(quote).join(', ')}.`,
      {
        toolNames: names,
      },
    );
  }
  return approved.map(({ call: { toolName, toolCallId }, approvalId }) => {
    const tool = toolOf(toolkit, toolName);
    if (tool) return tool;
    const expected = toolNames.map(quote).join(', ');
    const why = `Unknown tool ${quote(toolName)} of approved call ${quote(toolCallId)}. Expected one of: ${expected}.`;
    throw new ResolveError('unknown-tool', why, { toolCallId, approvalId, toolName, toolNames });
  });
}

/** Throws `invalid-signature` or `not-on-record` unless the server requested approval for exactly this call. */
export async function checkOrigin(approval: Runnable, { secret, verify, record }: ResolveOptions): Promise<void> {
  const { approvalId, toolCallId, call, request } = approval;
  const { toolName, input } = call;
  const asked: RequestedCall = { approvalId, toolCallId, toolName, input };
  const signature: unknown = request.signature;
  const about = { approvalId, toolCallId, toolName };
  const name = `Approval ${quote(approvalId)} of call ${quote(toolCallId)} (${quote(toolName)})`;
  if (secret !== undefined && !(await verifyApproval(asked, signature, secret))) {
    const why = signature === undefined ? 'has no signature' : 'has a signature for another call, tool or input';
    throw new ResolveError(
      'invalid-signature',
      `${name} ${why}. Send back the request unchanged, with its signature.`,
      about,
    );
  }
  if (verify && (await verify({ ...asked, ...(typeof signature === 'string' && { signature }) })) !== true) {
    throw new ResolveError('invalid-signature', `${name} was rejected by option \`verify\`.`, about);
  }
  if (!record) return;
  const recorded = await record.get(approvalId);
  if (!recorded)
    throw new ResolveError('not-on-record', `${name} is not in the record. Add it when its request is sent.`, about);
  const changed = difference(recorded, asked);
  if (changed)
    throw new ResolveError(
      'not-on-record',
      `${name} is in the record with another ${changed}. Send back the request unchanged.`,
      about,
    );
}

/**
 * Throws `invalid-input` unless the input matches the schema, and the schema returns it unchanged: the tool must run
 * with the approved input.
 */
export async function checkInput(
  { call, approvalId, request }: Runnable,
  { inputSchema }: ResolvableTool,
): Promise<void> {
  if (inputSchema === undefined) return;
  const { toolCallId, toolName, input } = call;
  let cause: unknown;
  try {
    // The AI SDK stores the original input separately if its schema transformed it.
    const given = structuredClone(Object.hasOwn(request, 'inputSchemaInput') ? request.inputSchemaInput : input);
    const parsed = await parseInput(inputSchema, given);
    if (same(parsed, input)) return;
    cause = new Error('the schema transforms the input, so the tool would not run with the approved one');
  } catch (error) {
    cause = error;
  }
  const why = `Invalid input of call ${quote(toolCallId)} for tool ${quote(toolName)}: ${messageOf(cause)}`;
  throw new ResolveError('invalid-input', why, { toolCallId, approvalId, toolName, cause });
}

function difference(recorded: RequestedCall, asked: RequestedCall): string | undefined {
  if (recorded.toolCallId !== asked.toolCallId) return 'call id';
  if (recorded.toolName !== asked.toolName) return 'tool';
  // Compare with what the page received: the record's input after JSON encoding.
  return same(asSent(recorded.input), asked.input) ? undefined : 'input';
}

/** Whether two values are the same JSON. 0 and -0 differ. */
function same(a: unknown, b: unknown): boolean {
  try {
    return canonicalJson(a ?? null) === canonicalJson(b ?? null);
  } catch {
    return false;
  }
}
