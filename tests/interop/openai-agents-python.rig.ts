/**
 * The OpenAI Agents SDK in Python, which names the fields of its events in its own way. The server gets the requests of
 * the one in the docs. One server serves all chats of a test file.
 */
import { openChat, type PythonServer } from './python';
import type { Rig } from './rig';
import { exchange, gateFor } from './support';

/** The SDK in Python. `server` is called when a chat is opened. */
export const openaiAgentsPython = (server: () => PythonServer): Rig => ({
  name: 'OpenAI Agents SDK in Python',
  protocol: 'openai-agents',
  waiting: { savedOnly: 'the server has no request for its history, which lacks the calls that wait' },
  async open(replies, options) {
    const { chat, ran, prompts, look } = await openChat(server(), { replies });
    const url = `${server().url}/${chat}`;
    const gate = gateFor('openai-agents', options);
    return {
      gate,
      url,
      look,
      ran,
      prompts,
      async send(item) {
        await exchange(gate, item, url);
        await look();
      },
    };
  },
});
