/** The AI SDK, versions 6 and 7, with the server of ai-sdk.server.ts. */
import { aiSdkServer } from './ai-sdk.server';
import { IN_THE_CLIENT, type Rig, type Session } from './rig';
import { exchange, gateFor } from './support';

/** A server with one version of the AI SDK. With a secret, it signs its approval requests. */
export function aiSdk(version: 6 | 7, secret?: string): Rig {
  return {
    name: `AI SDK ${version}${secret ? ', signed' : ''}`,
    protocol: 'ai-sdk',
    waiting: IN_THE_CLIENT,
    runsAgain: true,
    async open(replies, options): Promise<Session> {
      const { url, ran, prompts, close } = await aiSdkServer(version, replies, { secret });
      const gate = gateFor('ai-sdk', options);
      return { gate, url, ran, prompts, send: (item) => exchange(gate, item, url), close };
    },
  };
}
