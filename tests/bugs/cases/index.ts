/** Every row of the bug table, by what goes wrong in it. The table has the same order. */
import type { Bug } from '../bug';
import approveStopDeny from './approve-stop-deny';
import clickAfterFailure from './click-after-failure';
import denialIntoOutput from './denial-into-output';
import doubleClick from './double-click';
import doubleSend from './double-send';
import earlierApproval from './earlier-approval';
import emptyReply from './empty-reply';
import lateOutput from './late-output';
import lostReply from './lost-reply';
import messageAfterApprove from './message-after-approve';
import messagePastApproval from './message-past-approval';
import newReplyId from './new-reply-id';
import overwrittenOutput from './overwritten-output';
import partialDecisions from './partial-decisions';
import replayedRequest from './replayed-request';
import stopWhileStreaming from './stop-while-streaming';
import strayChunk from './stray-chunk';
import wrongId from './wrong-id';

/** What goes wrong, and the rows in which it does. */
export interface Harm {
  readonly name: string;
  readonly bugs: readonly Bug[];
}

const harm = (name: string, ...rows: readonly unknown[]): Harm => ({ name, bugs: rows as readonly Bug[] });

/** The rows by what goes wrong, the worst first. */
export const harms: readonly Harm[] = [
  harm('A denied tool runs', replayedRequest, approveStopDeny),
  harm('A tool runs twice, or never', lostReply, messagePastApproval, stopWhileStreaming, messageAfterApprove),
  harm('Requests that nobody wants', emptyReply, doubleSend, partialDecisions, clickAfterFailure),
  harm('The history is not true', denialIntoOutput, lateOutput, overwrittenOutput, newReplyId),
  harm('Silence and broken replies', earlierApproval, wrongId, strayChunk),
  harm('Right with and without', doubleClick),
];

/** The rows. */
export const bugs: readonly Bug[] = harms.flatMap(({ bugs }) => bugs);
