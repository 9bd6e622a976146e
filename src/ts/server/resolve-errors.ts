/**
 * What `toolgate/server` throws. Each refusal has a stable `code` to test for and a message that says what would have been
 * right. Codes and class only; who refuses, and when, is elsewhere.
 */

/** The reasons for which `toolgate/server` refuses something. A code keeps its meaning; new ones may be added. */
export type ResolveErrorCode =
  /** Approvals are answered, and there is no tool to run them with. `toolNames` are the tools that wait. */
  | 'toolkit-required'
  /** An approved call names a tool that the toolkit does not have. `toolNames` are those it has. */
  | 'unknown-tool'
  /** The input of an approved call is not what its tool takes. */
  | 'invalid-input'
  /** The approval has no signature, or one that was made for something else. */
  | 'invalid-signature'
  /** The server's own record has no such approval, or has it for another call, tool or input. */
  | 'not-on-record'
  /** The call was started by an earlier request, and its result is not in these messages. */
  | 'already-started'
  /** The call ran, and the record could not keep its result: a repetition will read that its outcome is unknown. */
  | 'record-failed'
  /** The messages cannot be read. */
  | 'malformed-messages'
  /** An answer names no call. */
  | 'missing-call-id'
  /** An answer names a call that nobody waits for or expects. */
  | 'unknown-call'
  /** An answer approves and brings no result. */
  | 'missing-result'
  /** An answer can be read in no way, or in two. */
  | 'malformed-answer'
  /** The call has its answer. */
  | 'already-answered'
  /** The call timed out or was given up before the answer came. */
  | 'too-late'
  /** Somebody waits for this call already. */
  | 'already-waiting'
  /** The delegate was closed: no answer can come any more. */
  | 'closed';

/** What an error of this entry is about. */
export interface ResolveErrorAbout {
  readonly toolCallId?: string | undefined;
  readonly approvalId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly toolNames?: readonly string[] | undefined;
  readonly cause?: unknown;
}

/** What `toolgate/server` throws. */
export class ResolveError extends Error {
  override readonly name: string = 'ResolveError';
  /** What was refused, to test for. */
  readonly code: ResolveErrorCode;
  /** The tool call in question, if there is one. */
  declare readonly toolCallId?: string;
  /** The approval in question, if there is one. */
  declare readonly approvalId?: string;
  /** The tool in question, if there is one. */
  declare readonly toolName?: string;
  /** Of `toolkit-required` the tools that wait; of `unknown-tool` those there are. */
  declare readonly toolNames?: readonly string[];

  /** `about` names what is in question, and the `cause`, where there is one. */
  constructor(code: ResolveErrorCode, message: string, about: ResolveErrorAbout = {}) {
    const { cause, ...rest } = about;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    for (const [key, value] of Object.entries(rest)) {
      if (value !== undefined) Object.defineProperty(this, key, { value, enumerable: true });
    }
  }
}

/** An id or a name as it stands in a message: ids are data of any length. */
export function quote(id: unknown): string {
  const text = String(id);
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
