/**
 * Pydantic AI: a server in Python with a scripted model, with its adapters for the AI SDK and for AG-UI. One
 * server serves all chats of a test file.
 */
import type { ToolGateOptions } from 'toolgate';
import { openChat, type PythonServer } from './python';
import { IN_THE_CLIENT, type Line, type Reply, type Rig, type Session } from './rig';
import { exchange, gateFor, type Data } from './support';
import { type ProtocolName } from '../protocols/all.js';

/** A line with the outcome of a result: Pydantic AI's `outcome`. */
export type ToldLine = Line & { readonly outcome?: 'success' | 'failed' | 'denied' | 'interrupted' | 'retried' };

/** A chat, the requests to it, and the prompts of its model. */
export interface PydanticSession extends Session {
  /** The chat's name on the server. */
  readonly chat: string;
  readonly requests: readonly Data[];
  readonly prompts: readonly (readonly ToldLine[])[];
}

/** Opens a chat with one of the adapters. */
export async function openPydantic(
  server: PythonServer,
  adapter: 'vercel' | 'ag-ui',
  replies: readonly Reply[],
  options: ToolGateOptions,
): Promise<PydanticSession> {
  const { chat, ran, prompts, look } = await openChat<ToldLine>(server, replies);
  const url = `${server.url}/${adapter}/${chat}`;
  const protocol: ProtocolName = adapter === 'vercel' ? 'pydantic-ai' : 'ag-ui';
  const gate = gateFor(protocol, options);
  const requests: Data[] = [];
  return {
    gate,
    url,
    look,
    chat,
    ran,
    prompts,
    requests,
    async send(item) {
      requests.push(item.body);
      try {
        await exchange(gate, item, url);
      } finally {
        await look();
      }
    },
  };
}

/** Pydantic AI with one of its adapters. `server` is called when a chat is opened. */
export const pydanticRig = (adapter: 'vercel' | 'ag-ui', server: () => PythonServer): Rig => ({
  protocol: adapter === 'vercel' ? 'pydantic-ai' : 'ag-ui',
  waiting: IN_THE_CLIENT,
  runsAgain: true,
  name: `Pydantic AI, ${adapter === 'vercel' ? 'AI SDK' : 'AG-UI'} adapter`,
  open: (replies, options) => openPydantic(server(), adapter, replies, options),
});
