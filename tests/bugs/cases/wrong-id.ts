/** The app passes the tool call's id instead of the approval's id. */
import { bug } from '../bug';
import { stage } from '../harness';

export default bug({
  id: 'wrong-id',
  title: 'The tool call id is passed instead of the approval id',
  cause: 'The chat finds no approval with this id, and returns without an error.',
  rule: 'A wrong id is an error, whose message names the right id.',
  async run(side) {
    const { backend, thrown, answer, send, settled } = await stage(side, {
      model: [{ calls: [{ id: 'c1', tool: 'edit' }] }],
    });
    send('Edit it');
    await settled();
    await answer('c1', true);
    await settled();
    return { answers: backend.requests.length - 1, thrown };
  },
  isRight: ({ answers, thrown }) => answers === 0 && thrown.length > 0,
  say: ({ thrown }) =>
    thrown.length > 0
      ? `\`${thrown.join()}\`, and the message names the right id`
      : 'nothing happens, without an error',
  expected: {
    ai6: { answers: 0, thrown: [] },
    ai7: { answers: 0, thrown: [] },
    toolgate: { answers: 0, thrown: ['unknown-approval'] },
  },
});
