/** The reply to a decision is empty (a server that ignores approvals, a proxy that drops the stream). */
import { bug, count } from '../bug';
import { played } from '../play';

export default bug({
  id: 'empty-reply',
  title: 'The reply to an approval is empty',
  cause:
    'After the empty reply, the last message still has all its decisions, so `sendAutomaticallyWhen` sends it again, without a limit.',
  rule: 'A decision is sent once. An empty reply ends the turn until the user acts.',
  async run(side) {
    const { backend, chat } = await played(side, 'empty-reply');
    return { answers: backend.requests.length - 1, status: chat.status };
  },
  isRight: ({ answers }) => answers === 1,
  say: ({ answers }) =>
    answers > 1
      ? `sent again and again (stopped at ${count(answers, 'request')})`
      : '1 request, then it waits for the user',
  expected: {
    ai6: { answers: 40, status: 'error' },
    ai7: { answers: 40, status: 'error' },
    toolgate: { answers: 1, status: 'ready' },
  },
});
