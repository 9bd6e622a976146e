/**
 * The OpenAI Agents SDK in Python, which names the fields of its events in its own way. The server gets the requests of
 * the one in the docs. One server serves all chats of a test file.
 */
import type { PythonServer } from './python';
import type { Line, Rig } from './rig';
import { exchange, gateFor } from './support';

/** The SDK in Python. `server` is called when a chat is opened. */
export const openaiAgentsPython = (server: () => PythonServer): Rig => ({
  name: 'OpenAI Agents SDK in Python',
  protocol: 'openai-agents',
  waiting: { savedOnly: 'the server has no request for its history, which lacks the calls that wait' },
  async open(replies, options) {
    const { url } = server();
    const chat: number = await (
      await fetch(`${url}/open`, { method: 'POST', body: JSON.stringify({ replies }) })
    ).json();
    const gate = gateFor('openai-agents', options);
    const [ran, prompts]: [string[], Line[][]] = [[], []];
    const look = async (): Promise<void> => {
      const seen = (await (await fetch(`${url}/seen/${chat}`)).json()) as { ran: string[]; prompts: Line[][] };
      ran.splice(0, ran.length, ...seen.ran);
      prompts.splice(0, prompts.length, ...seen.prompts);
    };
    return {
      gate,
      url: `${url}/${chat}`,
      look,
      ran,
      prompts,
      async send(item) {
        await exchange(gate, item, `${url}/${chat}`);
        await look();
      },
    };
  },
});
