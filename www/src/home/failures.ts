/** The failures that the first page plays: cases of the bug table, in words for somebody who has not read it. */
import { bugs, type Bug } from '../museum/run';

/** A failure on the first page. */
export interface Failure {
  readonly bug: Bug;
  /** The text of its button. */
  readonly name: string;
  /** What happens, in one sentence. */
  readonly story: string;
}

const failure = (id: string, name: string, story: string): Failure => ({
  bug: bugs.find((bug) => bug.id === id)!,
  name,
  story,
});

/** The first one plays by itself. */
export const FAILURES: readonly Failure[] = [
  failure('replayed-request', 'Denied, and asked again', 'The user denies. Then the same request arrives again.'),
  failure('empty-reply', 'Empty reply', 'The user approves, and the server answers with nothing.'),
  failure('double-send', 'Double click', 'The user clicks Send twice.'),
  failure('message-past-approval', 'Another message', 'The user approves one of three calls, then writes a message.'),
  failure('denial-into-output', 'Deny as output', 'The user denies, and the app also sends an output for the call.'),
  failure('click-after-failure', 'Network down', 'The network fails after Approve, and the user clicks again.'),
];
