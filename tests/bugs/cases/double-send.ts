/** Two clicks on Send: two messages are sent at the same moment. */
import { bug, count } from '../bug';
import { stage } from '../harness';

export default bug({
  id: 'double-send',
  title: 'Send is clicked twice',
  cause: 'The chat sends each message at once, even while it receives a reply.',
  rule: 'The second message waits for the reply to the first.',
  async run(side) {
    const { backend, chat, send, settled } = await stage(side, { model: [{ text: 'One' }, { text: 'Two' }] });
    send('Hi');
    send('Hi');
    await settled();
    return {
      atOnce: Math.max(...backend.requests.map((request) => request.besides)) + 1,
      requests: backend.requests.length,
      order: chat.messages.map((message) => message.role),
      lastPrompt: backend.saw.at(-1),
    };
  },
  isRight: ({ atOnce }) => atOnce === 1,
  say: ({ atOnce, order }) => `${count(atOnce, 'request')} at a time; the chat reads ${order.join(', ')}`,
  expected: {
    ai6: {
      atOnce: 2,
      requests: 2,
      order: ['user', 'user', 'assistant', 'assistant'],
      lastPrompt: ['user: Hi', 'user: Hi'],
    },
    ai7: {
      atOnce: 2,
      requests: 2,
      order: ['user', 'user', 'assistant', 'assistant'],
      lastPrompt: ['user: Hi', 'user: Hi'],
    },
    ai7Queue: {
      atOnce: 1,
      requests: 2,
      order: ['user', 'assistant', 'user', 'assistant'],
      lastPrompt: ['user: Hi', 'assistant: One', 'user: Hi'],
    },
    toolgate: {
      atOnce: 1,
      requests: 2,
      order: ['user', 'assistant', 'user', 'assistant'],
      lastPrompt: ['user: Hi', 'assistant: One', 'user: Hi'],
    },
  },
});
