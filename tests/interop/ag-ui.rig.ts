/**
 * AG-UI: a server that uses AG-UI's packages. It is called with plain requests, and with AG-UI's own client, which
 * checks requests and events.
 */
import { HttpAgent, type Interrupt, type Message, type RunAgentInput } from '@ag-ui/client';
import type { Outgoing, ToolGate, ToolGateOptions } from 'toolgate';
import { serveAgUi, type AgUiOptions, type AgUiServer } from './ag-ui.server';
import { IN_THE_CLIENT, type Reply, type Rig, type Session } from './rig';
import { exchange, gateFor } from './support';

/** A chat with its server, and the messages that AG-UI's own client built from the replies. */
export interface AgUiSession extends Session {
  readonly server: AgUiServer;
  /** The messages of AG-UI's client; empty with plain requests. */
  readonly kept: readonly Message[];
}

/** Opens a chat with AG-UI's own client, or with plain requests. */
export async function openAgUi(
  by: 'client' | 'fetch',
  replies: readonly Reply[],
  options: ToolGateOptions = {},
  how: AgUiOptions = {},
): Promise<AgUiSession> {
  const server = await serveAgUi(replies, how);
  const gate = gateFor('ag-ui', options);
  const agent = new HttpAgent({ url: server.url, threadId: 'chat' });
  return {
    gate,
    server,
    url: server.url,
    ran: server.ran,
    prompts: server.prompts,
    get kept() {
      return agent.messages;
    },
    send: (item) => (by === 'fetch' ? exchange(gate, item, server.url) : byClient(agent, gate, item)),
    close: () => server.close(),
  };
}

/** Sends an item with AG-UI's client, which builds the request from our history. Passes its events to the gate. */
async function byClient(agent: HttpAgent, gate: ToolGate, { id: requestId, body }: Outgoing): Promise<void> {
  const { runId, messages, resume } = JSON.parse(JSON.stringify(body)) as RunAgentInput;
  agent.messages.splice(0, agent.messages.length, ...messages);
  const open: Interrupt[] = agent.pendingInterrupts;
  try {
    await agent.runAgent(
      { runId, ...(resume && { resume }) },
      {
        onRunInitialized: () => gate.markSent(requestId),
        onEvent: ({ event }) => gate.receive(event, { requestId }),
        // After a failed run the client keeps the answered interrupts as pending, and would refuse another message.
        onRunErrorEvent: () =>
          void (agent.pendingInterrupts = agent.pendingInterrupts.filter((one) => !open.includes(one))),
      },
    );
  } catch (error) {
    return gate.streamEnded({ status: 'error', error: String(error) }, { requestId });
  }
  gate.streamEnded({ status: 'finished' }, { requestId });
}

/** AG-UI with its own client or with plain requests. */
export const agUiRig = (by: 'client' | 'fetch', how?: AgUiOptions): Rig => ({
  protocol: 'ag-ui',
  waiting: IN_THE_CLIENT,
  name: `AG-UI by ${by === 'client' ? 'its own client' : `plain requests${how?.chunks ? ', in chunks' : ''}`}`,
  open: (replies, options) => openAgUi(by, replies, options, how),
});
