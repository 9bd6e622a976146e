/**
 * The errors of `resolveApprovals`. Each has a stable `code` and a message that says what is wrong and what is
 * expected.
 */
import { quoted } from '../../json/quoted.js';

/** The error codes of `resolveApprovals`. The meaning of a code does not change; later versions may add codes. */
export type ResolveErrorCode =
  /** There are decided approvals, but no tools. `toolNames` lists the tools that are needed. */
  | 'toolkit-required'
  /** The toolkit lacks the tool of an approved call. `toolNames` lists the tools that it has. */
  | 'unknown-tool'
  /** The input of an approved call does not match the tool's schema. */
  | 'invalid-input'
  /** The approval has no signature, or one for another call, tool or input. */
  | 'invalid-signature'
  /** The server's record does not contain the approval, or has it for another call, tool or input. */
  | 'not-on-record'
  /** The call was started by an earlier request, and its result is not in these messages. */
  | 'already-started'
  /** The call ran, but the record could not store its result. A repeated request gets an unknown outcome. */
  | 'record-failed'
  /** The messages cannot be read. */
  | 'malformed-messages'
  /** The history has more parts than the option `maxParts` allows. */
  | 'too-long';

/** The call, approval and tools that an error refers to. */
export interface ResolveErrorAbout {
  readonly toolCallId?: string | undefined;
  readonly approvalId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly toolNames?: readonly string[] | undefined;
  readonly cause?: unknown;
}

/** An error of `resolveApprovals` or `collectApprovals`. */
export class ResolveError extends Error {
  override readonly name: string = 'ResolveError';
  /** The stable error code. */
  readonly code: ResolveErrorCode;
  /** The id of the tool call, if the error refers to one. */
  declare readonly toolCallId?: string;
  /** The id of the approval, if the error refers to one. */
  declare readonly approvalId?: string;
  /** The name of the tool, if the error refers to one. */
  declare readonly toolName?: string;
  /** With `toolkit-required` the tools that are needed; with `unknown-tool` the tools that exist. */
  declare readonly toolNames?: readonly string[];

  /** `about`: the call, approval and tools that the error refers to, and its `cause`. */
  constructor(code: ResolveErrorCode, message: string, about: ResolveErrorAbout = {}) {
    const { cause, ...rest } = about;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    for (const [key, value] of Object.entries(rest)) {
      if (value !== undefined) Object.assign(this, { [key]: value });
    }
  }
}

/**
 * Returns an error about a call, whose message begins with its names. Names come from clients: those that are not texts
 * are left out.
 */
export function errorAbout(
  code: ResolveErrorCode,
  { toolCallId, toolName, approvalId }: { readonly [NAME in 'toolCallId' | 'toolName' | 'approvalId']?: unknown },
  why: string,
  more?: ResolveErrorAbout,
): ResolveError {
  const names = Object.entries({ toolCallId, toolName, approvalId }).filter(([, name]) => typeof name === 'string');
  const shown = names.map(([key, name]) => `${key} ${quoted(name)}`).join(', ');
  return new ResolveError(code, `${shown && `${shown}: `}${why}`, { ...Object.fromEntries(names), ...more });
}
