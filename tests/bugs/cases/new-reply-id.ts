/** The server sends the continuation with another message id, so the client shows and sends the call twice. */
import { bug, count } from '../bug';
import { played } from '../play';

export default bug({
  id: 'new-reply-id',
  title: 'The reply to an approval has a new message id',
  cause: 'The chat takes the new id for a new message, which begins with a copy of the call.',
  rule: 'The reply continues the message that contains its call, whatever id it has.',
  async run(side) {
    const { backend, copies } = await played(side, 'reply-with-a-new-id');
    return {
      shown: copies('c1'),
      ran: backend.ran,
      modelSaw: backend.saw.at(-1)?.filter((line) => line === 'call remove#c1').length ?? 0,
      errors: backend.errors,
    };
  },
  isRight: ({ shown, modelSaw }) => shown === 1 && modelSaw === 1,
  say: ({ shown, modelSaw, errors }) =>
    `call shown ${count(shown, 'time')}; next prompt has it ${count(modelSaw, 'time')}${errors.length > 0 ? `; \`${errors.join()}\`` : ''}`,
  expected: {
    ai6: { shown: 2, ran: ['remove#c1'], modelSaw: 2, errors: [] },
    ai7: { shown: 2, ran: ['remove#c1'], modelSaw: 2, errors: [] },
    toolgate: { shown: 1, ran: ['remove#c1'], modelSaw: 1, errors: [] },
  },
});
