/** Two clicks on Send: two messages are sent at the same moment. */
import { bug, count } from '../bug';
import { played } from '../play';

export default bug({
  id: 'double-send',
  title: 'Send is clicked twice',
  cause: 'The chat sends each message at once, even while it receives a reply.',
  rule: 'The second message waits for the reply to the first.',
  async run(side) {
    const { backend, chat } = await played(side, 'double-send');
    return {
      atOnce: Math.max(...backend.requests.map((request) => request.besides)) + 1,
      requests: backend.requests.length,
      order: chat.messages.map((message) => message.role),
      prompts: backend.saw,
    };
  },
  isRight: ({ atOnce }) => atOnce === 1,
  say: ({ atOnce, order }) => `${count(atOnce, 'request')} at a time; the chat reads ${order.join(', ')}`,
  expected: {
    ai6: {
      atOnce: 2,
      requests: 2,
      order: ['user', 'user', 'assistant', 'assistant'],
      prompts: [['user: One', 'user: Two'], ['user: One']],
    },
    ai7: {
      atOnce: 2,
      requests: 2,
      order: ['user', 'user', 'assistant', 'assistant'],
      prompts: [['user: One', 'user: Two'], ['user: One']],
    },
    ai7Queue: {
      atOnce: 1,
      requests: 2,
      order: ['user', 'assistant', 'user', 'assistant'],
      prompts: [['user: One'], ['user: One', 'assistant: Done.', 'user: Two']],
    },
    toolgate: {
      atOnce: 1,
      requests: 2,
      order: ['user', 'assistant', 'user', 'assistant'],
      prompts: [['user: One'], ['user: One', 'assistant: Done.', 'user: Two']],
    },
  },
});
