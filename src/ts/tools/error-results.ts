/**
 * The texts that the model reads for calls without a tool result. `DENIED` and `MAY_HAVE_RUN` equal the gate's texts,
 * and are repeated here because this entry does not load the gate.
 */

/** A denial without a reason. */
export const DENIED = 'Error: Tool execution was denied by user.';
/** The tool failed, and its error has no text. */
export const FAILED = 'Error: The tool failed.';
/** The tool ran, but its output cannot be converted for the model. The reason follows. */
export const UNREADABLE = 'Error: The tool ran, but its output cannot be given to the model:';
/** The call was started, or may have been, and its result is unknown. */
export const MAY_HAVE_RUN = 'Error: Tool execution was interrupted. It may have run; its outcome is unknown.';
/** A later step or a message of the user came before the approved call began. */
export const SUPERSEDED = 'Error: A later message superseded this call before it began. It did not run.';
