/** A chunk for a call that the client doesn't know, in the middle of a reply. */
import { bug } from '../bug';
import { played } from '../play';

export default bug({
  id: 'stray-chunk',
  title: 'A chunk names a call that does not exist',
  cause: 'The chat throws at the unknown call, and the rest of the reply is lost.',
  rule: 'The unknown call is reported, and the reply is read to its end.',
  async run(side) {
    const { chat } = await played(side, 'unknown-call');
    return { text: chat.messages.at(-1)?.parts.find((part) => part.type === 'text')?.['text'], status: chat.status };
  },
  isRight: ({ text, status }) => text === 'Hello' && status === 'ready',
  say: ({ text, status }) =>
    status === 'error' ? `the reply breaks off after “${String(text)}”` : `the reply is whole: “${String(text)}”`,
  expected: {
    ai6: { text: 'Hel', status: 'error' },
    ai7: { text: 'Hel', status: 'error' },
    toolgate: { text: 'Hello', status: 'ready' },
  },
});
