/** `addToolOutput` for a call that has already run on the server. */
import { bug } from '../bug';
import { stage } from '../harness';

export default bug({
  id: 'overwritten-output',
  title: '`addToolOutput` for a call that has its result',
  cause: '`addToolOutput` replaces a result that exists.',
  rule: 'A call has one result, and the model reads what really happened.',
  async run(side) {
    const { backend, thrown, part, answer, output, send, settled, approvalOf } = await stage(side, {
      model: [{ calls: [{ id: 'c1', tool: 'edit' }] }, { text: 'Edited' }],
    });
    send('Edit it');
    await settled();
    await answer(approvalOf('c1'), true);
    await settled();
    await output('edit', 'c1', 'something else');
    send('What did it say?');
    await settled();
    return {
      output: part('c1')?.['output'],
      modelSaw: backend.saw.at(-1)?.find((line) => line.startsWith('result c1')),
      thrown,
    };
  },
  isRight: ({ modelSaw }) => modelSaw?.includes('edit done') === true,
  say: ({ modelSaw, thrown }) =>
    modelSaw?.includes('edit done')
      ? `refused (\`${thrown.join()}\`); the first result stays`
      : `the model sees \`${modelSaw ?? 'nothing'}\``,
  expected: {
    ai6: { output: 'something else', modelSaw: 'result c1: text "something else"', thrown: [] },
    ai7: { output: 'something else', modelSaw: 'result c1: text "something else"', thrown: [] },
    toolgate: { output: 'edit done', modelSaw: 'result c1: text "edit done"', thrown: ['already-settled'] },
  },
});
