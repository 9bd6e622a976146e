/** The user approves and sends the next message at once, while the approval is being sent. */
import { bug, count } from '../bug';
import { stage } from '../harness';

export default bug({
  id: 'message-after-approve',
  title: 'Approve, then send a message at once',
  cause: 'The message is sent while the approval is being answered. Its history has an approved call without a result.',
  rule: 'The message waits for the reply to the approval, and no request fails.',
  async run(side) {
    const { backend, answer, send, settled, approvalOf, copies } = await stage(side, {
      model: [{ calls: [{ id: 'c1', tool: 'edit' }] }, { text: 'Edited' }, { text: 'Sure' }],
    });
    send('Edit it');
    await settled();
    await answer(approvalOf('c1'), true);
    send('And then?');
    await settled();
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
      ran: ['edit#c1'],
      errors: ['AI_MissingToolResultsError'],
      lastPrompt: ['user: Edit it', 'call edit#c1', 'result c1: text "edit done"'],
      copies: 1,
    },
    ai7: {
      requests: 2,
      atOnce: 2,
      ran: ['edit#c1'],
      errors: ['AI_MissingToolResultsError'],
      lastPrompt: ['user: Edit it', 'call edit#c1', 'result c1: text "edit done"'],
      copies: 1,
    },
    ai7Queue: {
      requests: 2,
      atOnce: 1,
      ran: ['edit#c1'],
      errors: [],
      lastPrompt: [
        'user: Edit it',
        'call edit#c1',
        'result c1: text "edit done"',
        'assistant: Edited',
        'user: And then?',
      ],
      copies: 1,
    },
    toolgate: {
      requests: 2,
      atOnce: 1,
      ran: ['edit#c1'],
      errors: [],
      lastPrompt: [
        'user: Edit it',
        'call edit#c1',
        'result c1: text "edit done"',
        'assistant: Edited',
        'user: And then?',
      ],
      copies: 1,
    },
  },
});
