/** Approve while the reply still streams, press Stop, then write the next message. */
import { bug, count } from '../bug';
import { played } from '../play';

const UNSENT =
  'The user had approved it, but the reply was stopped or broke off, and the user wrote a message instead. Call it again if it is still wanted.';

export default bug({
  id: 'stop-while-streaming',
  title: 'Approve during the stream, Stop, then write a message',
  cause:
    'After Stop nothing sends the approval. The next message follows it in the history, and the call never gets a result.',
  rule: 'Nothing is sent after Stop. The next message runs nothing that was approved before, and tells the model so.',
  async run(side) {
    let byItself = 0;
    const { backend } = await played(side, 'approval-then-stop-then-message', {
      after: (act, on) => {
        if ('stop' in act) byItself = on.backend.requests.length - 1;
      },
    });
    return { byItself, ran: backend.ran, errors: backend.errors, lastPrompt: backend.saw.at(-1) ?? [] };
  },
  isRight: ({ byItself, ran, errors }) => byItself === 0 && ran.length === 0 && errors.length === 0,
  say: ({ byItself, ran, errors }) =>
    `${count(byItself, 'request')} after Stop; then ${ran.length > 0 ? 'the approved tool **runs**' : errors.length > 0 ? 'the approval is **forgotten**' : 'the message is sent, and the model reads that the tool did not run'}${errors.length > 0 ? `; \`${errors.join()}\`` : ''}`,
  expected: {
    ai6: { byItself: 0, ran: [], errors: ['AI_MissingToolResultsError'], lastPrompt: [] },
    ai7: { byItself: 0, ran: [], errors: ['AI_MissingToolResultsError'], lastPrompt: [] },
    ai7Queue: {
      byItself: 0,
      ran: ['remove#c1'],
      errors: [],
      lastPrompt: [
        'user: Tidy up',
        'call remove#c1',
        'result c1: text "remove done"',
        'assistant: Done.',
        'user: Go on',
      ],
    },
    toolgate: {
      byItself: 0,
      ran: [],
      errors: [],
      lastPrompt: [
        'user: Tidy up',
        'call remove#c1',
        `result c1: error-text "Error: Tool execution was interrupted. It did not run. ${UNSENT}"`,
        'user: Go on',
      ],
    },
  },
});
