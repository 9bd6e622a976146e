/**
 * A denied call gets an output, from an app that writes "denied by user" as the tool's result, or from a slow browser
 * tool.
 */
import { bug } from '../bug';
import { played } from '../play';

export default bug({
  id: 'denial-into-output',
  title: 'Deny, then `addToolOutput` for the same call',
  cause: '`addToolOutput` overwrites the part of the call, so the denial is in no request.',
  rule: 'A denied call stays denied, and the model reads the denial.',
  async run(side) {
    const { backend, chat, thrown, part } = await played(side, 'denial-before-app-output');
    return {
      modelSaw: backend.saw.at(-1)?.find((line) => line.startsWith('result c1')),
      state: part('c1')?.['state'],
      thrown,
      status: chat.status,
    };
  },
  isRight: ({ modelSaw }) => modelSaw?.includes('execution-denied') === true,
  say: ({ modelSaw, thrown }) =>
    modelSaw?.includes('execution-denied')
      ? `refused (\`${thrown.join()}\`); the model sees the denial`
      : `the model sees \`${modelSaw ?? 'nothing'}\``,
  expected: {
    ai6: { modelSaw: 'result c1: text "removed"', state: 'output-available', thrown: [], status: 'ready' },
    ai7: { modelSaw: 'result c1: text "removed"', state: 'output-available', thrown: [], status: 'ready' },
    toolgate: {
      modelSaw: 'result c1: execution-denied "not now"',
      state: 'output-denied',
      thrown: ['already-settled'],
      status: 'ready',
    },
  },
});
