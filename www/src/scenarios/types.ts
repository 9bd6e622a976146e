/**
 * The type of a scenario. To add one, write a file that exports a `Scenario`, and list it in `index.ts`.
 */
import type { FaultPlan } from '../backend/faults';
import type { PromptView, ScriptedReply } from '../backend/model';
import type { Files } from '../backend/workspace';

/** One thing to try on the page. */
export interface Scenario {
  /** Used in the address: `?scenario=<id>`. */
  id: string;
  /** Two or three words for the picker. */
  name: string;
  /** One sentence: what this scenario shows. */
  summary: string;
  /** What to do, step by step. */
  steps: readonly string[];
  /** What to look at in the panels beside the chat, which only the page in React has. */
  recordStep?: string;
  /** The message that a click sends to begin. */
  opening: string;
  /** Suggested messages: shown above the text box when the chat is idle, and sent by a click. */
  next?: readonly string[];
  /** The files that the chat starts with. */
  files: Files;
  /**
   * The scripted model's answer to a prompt, or `undefined` to leave it to the general script in
   * `free-replies.ts` (which edits files on request, and sums up the results of its calls).
   */
  reply?(view: PromptView): ScriptedReply | undefined;
  /** The fault between the page and the backend, if any. */
  faults?: FaultPlan;
  /** Lets the user choose what a denial means for the other calls of its step, on the page in React. */
  choosesPolicy?: boolean;
  /** Lets the user remember an approval for later calls. */
  remembers?: boolean;
  /** After how many ms an unanswered approval expires. */
  approvalTimeoutMs?: number;
  /** Offers to open the chat in a second tab, on the page in React. */
  opensTab?: boolean;
  /** Requires a backend that outlives the page. */
  needsServer?: boolean;
}
