/** A result arrives for a call that the user has denied. */
import { bug } from '../bug';
import { played } from '../play';

export default bug({
  id: 'late-output',
  title: 'A tool output arrives for a denied call',
  cause: 'The late output replaces the state of the call, whose approval stays denied. No valid message has both.',
  rule: 'A denied call gets no output, and the history stays valid.',
  async run(side) {
    const { chat, part, valid } = await played(side, 'denial-before-late-output', { acts: 2 });
    return { state: part('c1')?.['state'], output: part('c1')?.['output'], valid: await valid(), status: chat.status };
  },
  isRight: ({ state, valid }) => state === 'output-denied' && valid,
  say: ({ state, valid }) =>
    `shown as \`${String(state)}\`; the history ${valid ? 'stays valid' : '**fails `validateUIMessages` from now on**'}`,
  expected: {
    ai6: { state: 'output-available', output: 'removed', valid: false, status: 'ready' },
    ai7: { state: 'output-available', output: 'removed', valid: false, status: 'ready' },
    toolgate: { state: 'output-denied', output: undefined, valid: true, status: 'ready' },
  },
});
