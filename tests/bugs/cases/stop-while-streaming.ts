/** Approve while the reply still streams, press Stop, then write the next message. */
import { bug, count } from '../bug';
import { played } from '../play';

export default bug({
  id: 'stop-while-streaming',
  title: 'Approve during the stream, Stop, then write a message',
  cause:
    'After Stop nothing sends the approval. The next message follows it in the history, and the call never gets a result.',
  rule: 'Nothing is sent after Stop. With the next message, the approved tool runs first.',
  async run(side) {
    let byItself = 0;
    const { backend } = await played(side, 'approval-then-stop-then-message', {
      after: (act, on) => {
        if ('stop' in act) byItself = on.backend.requests.length - 1;
      },
    });
    return { byItself, ran: backend.ran, errors: backend.errors, lastPrompt: backend.saw.at(-1) ?? [] };
  },
  isRight: ({ byItself, ran, errors }) => byItself === 0 && ran.length === 1 && errors.length === 0,
  say: ({ byItself, ran, errors }) =>
    `${count(byItself, 'request')} after Stop; then ${ran.length > 0 ? 'the approved tool runs, and the message follows' : 'the approved tool **never runs**'}${errors.length > 0 ? `; \`${errors.join()}\`` : ''}`,
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
  },
});
