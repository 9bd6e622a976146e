/** A result arrives for a call that the user has denied. */
import { bug } from '../bug';
import { stage } from '../harness';

export default bug({
  id: 'late-output',
  title: 'A tool output arrives for a denied call',
  cause: 'The late output replaces the state of the call, whose approval stays denied. No valid message has both.',
  rule: 'A denied call gets no output, and the history stays valid.',
  async run(side) {
    const { chat, part, answer, send, settled, approvalOf, valid } = await stage(side, {
      model: [{ calls: [{ id: 'c1', tool: 'edit' }] }],
      intercept: (n) =>
        n === 2
          ? [
              { type: 'start' },
              { type: 'tool-output-denied', toolCallId: 'c1' },
              { type: 'tool-output-available', toolCallId: 'c1', output: 'written' },
              { type: 'finish', finishReason: 'stop' },
            ]
          : undefined,
    });
    send('Edit it');
    await settled();
    await answer(approvalOf('c1'), false, 'not now');
    await settled();
    return { state: part('c1')?.['state'], output: part('c1')?.['output'], valid: await valid(), status: chat.status };
  },
  isRight: ({ state, valid }) => state === 'output-denied' && valid,
  say: ({ state, valid }) =>
    `shown as \`${String(state)}\`; the history ${valid ? 'stays valid' : '**fails `validateUIMessages` from now on**'}`,
  expected: {
    ai6: { state: 'output-available', output: 'written', valid: false, status: 'ready' },
    ai7: { state: 'output-available', output: 'written', valid: false, status: 'ready' },
    toolgate: { state: 'output-denied', output: undefined, valid: true, status: 'ready' },
  },
});
