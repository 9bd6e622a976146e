/** `addToolOutput` for a call that has already run on the server. */
import { bug } from '../bug';
import { played } from '../play';

export default bug({
  id: 'overwritten-output',
  title: '`addToolOutput` for a call that has its result',
  cause: '`addToolOutput` replaces a result that exists.',
  rule: 'A call has one result, and the model reads what really happened.',
  async run(side) {
    const { backend, thrown, part } = await played(side, 'output-after-result');
    return {
      output: part('c1')?.['output'],
      modelSaw: backend.saw.at(-1)?.find((line) => line.startsWith('result c1')),
      thrown,
    };
  },
  isRight: ({ modelSaw }) => modelSaw?.includes('remove done') === true,
  say: ({ modelSaw, thrown }) =>
    modelSaw?.includes('remove done')
      ? `refused (\`${thrown.join()}\`); the first result stays`
      : `the model sees \`${modelSaw ?? 'nothing'}\``,
  expected: {
    ai6: { output: 'something else', modelSaw: 'result c1: text "something else"', thrown: [] },
    ai7: { output: 'something else', modelSaw: 'result c1: text "something else"', thrown: [] },
    toolgate: { output: 'remove done', modelSaw: 'result c1: text "remove done"', thrown: ['already-settled'] },
  },
});
