/** Every row of the bug table, in the order of the table. */
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

/** The rows. */
export const bugs = [
  doubleClick,
  doubleSend,
  emptyReply,
  denialIntoOutput,
  replayedRequest,
  lateOutput,
  overwrittenOutput,
  messageAfterApprove,
  messagePastApproval,
  stopWhileStreaming,
  newReplyId,
  partialDecisions,
  clickAfterFailure,
  lostReply,
  approveStopDeny,
  earlierApproval,
  wrongId,
  strayChunk,
] as unknown as readonly Bug[];
