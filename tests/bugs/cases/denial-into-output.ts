/**
 * A denied call gets an output, from an app that writes "denied by user" as the tool's result, or from a slow browser
 * tool.
 */
import { bug } from '../bug';
import { stage } from '../harness';

export default bug({
  id: 'denial-into-output',
  title: 'Deny, then `addToolOutput` for the same call',
  cause: '`addToolOutput` overwrites the part of the call, so the denial is in no request.',
  rule: 'A denied call stays denied, and the model reads the denial.',
  async run(side) {
    const { backend, chat, thrown, part, answer, output, send, settled, approvalOf } = await stage(side, {
      model: [
        {
          calls: [
            { id: 'c1', tool: 'edit' },
            { id: 'c2', tool: 'send' },
          ],
        },
      ],
    });
    send('Edit and send it');
    await settled();
    await answer(approvalOf('c1'), false, 'not now');
    await output('edit', 'c1', 'written');
    await answer(approvalOf('c2'), true);
    await settled();
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
    ai6: { modelSaw: 'result c1: text "written"', state: 'output-available', thrown: [], status: 'ready' },
    ai7: { modelSaw: 'result c1: text "written"', state: 'output-available', thrown: [], status: 'ready' },
    toolgate: {
      modelSaw: 'result c1: execution-denied "not now"',
      state: 'output-denied',
      thrown: ['already-settled'],
      status: 'ready',
    },
  },
});
