/** One of two calls is approved; the user writes a message instead of deciding the other. */
import { bug } from '../bug';
import { played } from '../play';

export default bug({
  id: 'message-past-approval',
  title: 'Approve one of two calls, then write a message',
  cause: 'The message follows a call without a decision, so the approval before it never gets a result.',
  rule: 'The approved tool runs, the other call is closed, and the model reads both results before the message.',
  async run(side) {
    const { backend, part } = await played(side, 'message-after-half-a-step', { acts: 3 });
    return {
      ran: backend.ran,
      errors: backend.errors,
      states: [part('c1')?.['state'], part('c2')?.['state']],
      lastPrompt: backend.saw.at(-1),
    };
  },
  isRight: ({ ran, errors }) => ran.includes('remove#c1') && errors.length === 0,
  say: ({ ran, errors }) =>
    `${ran.includes('remove#c1') ? 'the approved tool ran' : 'the approved tool **never runs**'}${errors.length > 0 ? `; \`${errors.join()}\`` : '; the model sees both results, then the message'}`,
  expected: {
    ai6: {
      ran: [],
      errors: ['AI_MissingToolResultsError'],
      states: ['approval-responded', 'approval-requested'],
      lastPrompt: ['user: Tidy up'],
    },
    ai7: {
      ran: [],
      errors: ['AI_MissingToolResultsError'],
      states: ['approval-responded', 'approval-requested'],
      lastPrompt: ['user: Tidy up'],
    },
    ai7Queue: {
      ran: [],
      errors: [],
      states: ['approval-responded', 'approval-requested'],
      lastPrompt: ['user: Tidy up'],
    },
    toolgate: {
      ran: ['remove#c1'],
      errors: [],
      states: ['output-available', 'output-denied'],
      lastPrompt: [
        'user: Tidy up',
        'call remove#c1',
        'call send#c2',
        'result c1: text "remove done"',
        'result c2: error-text "The user sent a new message instead of answering."',
        'assistant: Done.',
        'user: Wait',
      ],
    },
  },
});
