/** One of three calls is approved; the user writes a message instead of deciding the others. */
import { bug } from '../bug';
import { played } from '../play';

export default bug({
  id: 'message-past-approval',
  title: 'Approve one of three calls, then write a message',
  cause: 'The message follows a call without a decision, so the approval before it never gets a result.',
  rule: 'The approved tool runs, the other calls are closed, and the model reads all results before the message.',
  async run(side) {
    const { backend, part } = await played(side, 'message-after-half-a-step', { acts: 3 });
    return {
      ran: backend.ran,
      errors: backend.errors,
      states: ['c2', 'c3', 'c4'].map((id) => part(id)?.['state']),
      lastPrompt: backend.saw.at(-1),
    };
  },
  isRight: ({ ran, errors }) => ran.includes('remove#c2') && errors.length === 0,
  say: ({ ran, errors }) =>
    `${ran.includes('remove#c2') ? 'the approved tool ran' : 'the approved tool **never runs**'}${errors.length > 0 ? `; \`${errors.join()}\`` : '; the model sees all results, then the message'}`,
  expected: {
    ai6: {
      ran: ['read#c1'],
      errors: ['AI_MissingToolResultsError'],
      states: ['approval-responded', 'approval-requested', 'approval-requested'],
      lastPrompt: ['user: Tidy up.'],
    },
    ai7: {
      ran: ['read#c1'],
      errors: ['AI_MissingToolResultsError'],
      states: ['approval-responded', 'approval-requested', 'approval-requested'],
      lastPrompt: ['user: Tidy up.'],
    },
    ai7Queue: {
      ran: ['read#c1'],
      errors: [],
      states: ['approval-responded', 'approval-requested', 'approval-requested'],
      lastPrompt: ['user: Tidy up.'],
    },
    toolgate: {
      ran: ['read#c1', 'remove#c2'],
      errors: [],
      states: ['output-available', 'output-denied', 'output-denied'],
      lastPrompt: [
        'user: Tidy up.',
        'call read#c1',
        'call remove#c2',
        'call remove#c3',
        'call send#c4',
        'result c1: text "read done"',
        'result c2: text "remove done"',
        'result c3: error-text "The user sent a new message instead of answering."',
        'result c4: error-text "The user sent a new message instead of answering."',
        'assistant: Done.',
        'user: Wait.',
      ],
    },
  },
});
