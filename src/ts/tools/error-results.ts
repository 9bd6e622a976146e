/**
 * What the model reads where no tool gave a result. The same words as the gate's, so that a denial reads the same whoever
 * wrote it; written out here, because this entry loads nothing of the gate.
 */

/** A denial without a reason. */
export const DENIED = 'Error: Tool execution was denied by user.';
/** It ran, and what it returned cannot be written for the model; why follows. */
export const UNREADABLE = 'Error: The tool ran, but its output cannot be given to the model:';
/** It was started once, or may have been, and nobody knows how it ended. */
export const MAY_HAVE_RUN = 'Error: Tool execution was interrupted. It may have run; its outcome is unknown.';
