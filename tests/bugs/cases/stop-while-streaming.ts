/** Approve while the reply still streams, press Stop, then write the next message. */
import { asks, ends } from '../backend';
import { bug, count } from '../bug';
import { stage } from '../harness';

export default bug({
  id: 'stop-while-streaming',
  title: 'Approve during the stream, Stop, then write a message',
  async run(side) {
    const { backend, chat, answer, send, settled } = await stage(side, {
      model: [],
      intercept: (n) =>
        n === 1
          ? [
              ...asks('reply-1', [{ id: 'c1', tool: 'edit' }]),
              () => answer('ask-c1', true),
              () => void chat.stop() as never,
              ...ends,
            ]
          : undefined,
    });
    send('Edit it');
    await settled();
    const byItself = backend.requests.length - 1;
    send('Go on');
    await settled();
    return { byItself, ran: backend.ran, errors: backend.errors, lastPrompt: backend.saw.at(-1) ?? [] };
  },
  say: ({ byItself, ran, errors }) =>
    `${count(byItself, 'request')} after Stop; then ${ran.length > 0 ? 'the approved tool runs, and the message follows' : 'the approved tool **never runs**'}${errors.length > 0 ? `; \`${errors.join()}\`` : ''}`,
  expected: {
    ai6: { byItself: 0, ran: [], errors: ['AI_MissingToolResultsError'], lastPrompt: [] },
    ai7: { byItself: 0, ran: [], errors: ['AI_MissingToolResultsError'], lastPrompt: [] },
    ai7Queue: {
      byItself: 0,
      ran: ['edit#c1'],
      errors: [],
      lastPrompt: ['user: Edit it', 'call edit#c1', 'result c1: text "edit done"', 'assistant: ok', 'user: Go on'],
    },
    toolgate: {
      byItself: 0,
      ran: ['edit#c1'],
      errors: [],
      lastPrompt: ['user: Edit it', 'call edit#c1', 'result c1: text "edit done"', 'assistant: ok', 'user: Go on'],
    },
  },
});
