/**
 * Pydantic AI: a server in Python with a scripted model, with its adapters for the AI SDK and for AG-UI. One
 * server serves all chats of a test file.
 */
import type { ToolGateOptions } from 'toolgate';
import type { PythonServer } from './python';
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
  { url }: PythonServer,
  adapter: 'vercel' | 'ag-ui',
  replies: readonly Reply[],
  options: ToolGateOptions,
): Promise<PydanticSession> {
  const opened = await fetch(`${url}/open`, { method: 'POST', body: JSON.stringify(replies) });
  const chat = String(await opened.json());
  const protocol: ProtocolName = adapter === 'vercel' ? 'pydantic-ai' : 'ag-ui';
  const gate = gateFor(protocol, options);
  const [ran, prompts, requests]: [string[], ToldLine[][], Data[]] = [[], [], []];
  const look = async (): Promise<void> => {
    const seen = (await (await fetch(`${url}/seen/${chat}`)).json()) as { ran: string[]; prompts: ToldLine[][] };
    ran.splice(0, ran.length, ...seen.ran);
    prompts.splice(0, prompts.length, ...seen.prompts);
  };
  return {
    gate,
    url: `${url}/${adapter}/${chat}`,
    look,
    chat,
    ran,
    prompts,
    requests,
    async send(item) {
      requests.push(item.body);
      try {
        await exchange(gate, item, `${url}/${adapter}/${chat}`);
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
