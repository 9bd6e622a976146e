/** The user approves and sends the next message at once, while the approval is being sent. */
import { bug, count } from '../bug';
import { played } from '../play';

export default bug({
  id: 'message-after-approve',
  title: 'Approve, then send a message at once',
  cause: 'The message is sent while the approval is being answered. Its history has an approved call without a result.',
  rule: 'The message waits for the reply to the approval, and no request fails.',
  async run(side) {
    const { backend, copies } = await played(side, 'message-right-after-approval');
    return {
      requests: backend.requests.length - 1,
      atOnce: Math.max(...backend.requests.map((request) => request.besides)) + 1,
      ran: backend.ran,
      errors: backend.errors,
      lastPrompt: backend.saw.at(-1),
      copies: copies('c1'),
    };
  },
  isRight: ({ atOnce, errors }) => atOnce === 1 && errors.length === 0,
  say: ({ atOnce, errors, ran }) =>
    `${count(atOnce, 'request')} at a time; tool ran ${count(ran.length, 'time')}${errors.length > 0 ? `; \`${errors.join()}\`` : ''}`,
  expected: {
    ai6: {
      requests: 2,
      atOnce: 2,
      ran: ['remove#c1'],
      errors: ['AI_MissingToolResultsError'],
      lastPrompt: ['user: Tidy up', 'call remove#c1', 'result c1: text "remove done"'],
      copies: 1,
    },
    ai7: {
      requests: 2,
      atOnce: 2,
      ran: ['remove#c1'],
      errors: ['AI_MissingToolResultsError'],
      lastPrompt: ['user: Tidy up', 'call remove#c1', 'result c1: text "remove done"'],
      copies: 1,
    },
    ai7Queue: {
      requests: 2,
      atOnce: 1,
      ran: ['remove#c1'],
      errors: [],
      lastPrompt: [
        'user: Tidy up',
        'call remove#c1',
        'result c1: text "remove done"',
        'assistant: Done.',
        'user: And then rest',
      ],
      copies: 1,
    },
    toolgate: {
      requests: 2,
      atOnce: 1,
      ran: ['remove#c1'],
      errors: [],
      lastPrompt: [
        'user: Tidy up',
        'call remove#c1',
        'result c1: text "remove done"',
        'assistant: Done.',
        'user: And then rest',
      ],
      copies: 1,
    },
  },
});
