/**
 * LangGraph in Python, served in the format of its own server and called by the SDK's own client. Its field names are
 * spelled differently than those of LangGraph in JavaScript, and its middleware has a mode with a separate interrupt
 * for each call. One server serves all chats of a test file.
 */
import { Client } from '@langchain/langgraph-sdk';
import { follow, reopen } from './langgraph.rig';
import { openChat, type PythonServer } from './python';
import type { Rig, Session } from './rig';
import { gateFor, type Data } from './support';

/** LangGraph in Python. `server` is called when a chat is opened. */
export const langgraphPython = (
  mode: 'batched' | 'per_call',
  server: () => PythonServer,
): Rig<Session & { readonly bodies: readonly Data[] }> => ({
  name: `LangGraph in Python, ${mode}`,
  protocol: 'langgraph',
  waiting: 'with the server',
  async open(replies, options) {
    const { url } = server();
    const { chat, ran, prompts, look } = await openChat(server(), { replies, mode });
    const client = new Client({ apiUrl: `${url}/${chat}`, apiKey: null, callerOptions: { maxRetries: 0 } });
    const gate = gateFor('langgraph', options);
    const bodies: Data[] = [];
    return {
      gate,
      url: `${url}/${chat}`,
      look,
      ran,
      prompts,
      bodies,
      refill: async () => reopen(gate, (await (await fetch(`${url}/state/${chat}`)).json()) as Data),
      async send(item) {
        const body = item.body as Data;
        bodies.push(body);
        await follow(
          gate,
          item,
          client.runs.stream(body.config.configurable.thread_id, 'agent', {
            ...body,
            streamMode: ['values', 'messages-tuple'],
          }),
        );
        await look();
      },
    };
  },
});
