/**
 * ACP: an agent of `@agentclientprotocol/sdk` with a scripted model loop, and a client that exchanges JSON-RPC messages
 * with it, over the SDK's own stream of lines. The agent requests each permission separately, all of a step at once,
 * and runs a tool only if the answer is an option that allows it.
 */
import * as v1 from '@agentclientprotocol/sdk';
import * as v2 from '@agentclientprotocol/sdk/experimental/v2';
import type { Outgoing } from 'toolgate';
import type { Line, Reply, Rig, ScriptedCall, Session } from './rig';
import { asks, done, gateFor, scripted, slowly, type Data } from './support';

/** The options of every request, by kind. */
export const OPTIONS = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'yes!', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
] as const satisfies v1.PermissionOption[];

/** A chat with the agent, and the messages between them. */
export interface AcpSession extends Session {
  /** The JSON-RPC messages that the client sent. */
  readonly sent: readonly Data[];
  /** The answers to the permission requests, in order. */
  readonly outcomes: readonly Data[];
  /** Cancels first in the agent, then in the gate, like a host's button. */
  cancel(): Promise<void>;
}

/** A JSON-RPC message, which the client reads or writes. */
interface Wire {
  readonly messages: ReadableStreamDefaultReader<Data>;
  send(message: Data): Promise<void>;
}

/** An agent in this process, connected by two byte streams. It reports whether it is working. */
export class Agent {
  readonly ran: string[] = [];
  readonly prompts: Line[][] = [];
  readonly outcomes: Data[] = [];
  readonly #history: Line[] = [];
  /** The number of turns and tool calls in progress that do not wait for the user. */
  working = 0;
  /** The number of permission requests that wait for the user. */
  asking = 0;
  #cancelled = false;

  constructor(
    readonly version: 1 | 2,
    readonly next: ReturnType<typeof scripted>,
  ) {}

  connect(): Wire {
    const [toAgent, toClient] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
    const { version } = this;
    const sdk = (version === 1 ? v1 : v2) as typeof v1;
    const { session } = sdk.methods.agent;
    sdk
      .agent({ name: 'scripted' })
      .onRequest(
        sdk.methods.agent.initialize,
        () => ({ protocolVersion: version, info: { name: 'scripted', version: '1' } }) as Data,
      )
      .onRequest(session.new, () => ({ sessionId: 'chat' }))
      .onRequest(session.prompt, ({ params, client }: Data) => this.#prompt(params, client) as Data)
      .onNotification(session.cancel, () => void (this.#cancelled = true))
      .connect(sdk.ndJsonStream(toClient.writable, toAgent.readable));
    const { readable, writable } = sdk.ndJsonStream(toAgent.writable, toClient.readable);
    const writer = writable.getWriter();
    return { messages: readable.getReader(), send: (message) => writer.write(message) };
  }

  async #prompt({ prompt }: Data, client: Data): Promise<Data> {
    const update = (fields: Data): Promise<void> =>
      client.notify('session/update', { sessionId: 'chat', update: fields });
    const text = prompt.map((block: Data) => block.text).join('');
    this.#history.push({ kind: 'user', text });
    this.#cancelled = false;
    if (this.version === 1) return { stopReason: await this.#turn(update, client) };
    // The second version answers at once, and reports the end of the turn with an update.
    const messageId = `user-${this.prompts.length}`;
    await update({ sessionUpdate: 'user_message', messageId, content: prompt });
    await update({ sessionUpdate: 'state_update', state: 'running' });
    void this.#turn(update, client).then(
      (stopReason) => update({ sessionUpdate: 'state_update', state: 'idle', stopReason }),
      (error: Error) =>
        update({
          sessionUpdate: 'state_update',
          state: 'idle',
          stopReason: 'error',
          error: { code: -32603, message: error.message },
        }),
    );
    return { messageId };
  }

  async #turn(update: (fields: Data) => Promise<void>, client: Data): Promise<v1.StopReason> {
    this.working++;
    try {
      for (;;) {
        this.prompts.push([...this.#history]);
        const reply = this.next();
        if ('text' in reply) {
          this.#history.push({ kind: 'text', text: reply.text });
          const messageId = `agent-${this.prompts.length}`;
          for (const text of [reply.text.slice(0, 2), reply.text.slice(2)])
            await update({ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } });
          return 'end_turn';
        }
        for (const { id: toolCallId, tool: name, path } of reply.calls) {
          const sessionUpdate = this.version === 1 ? 'tool_call' : 'tool_call_update';
          await update({
            sessionUpdate,
            toolCallId,
            name,
            title: `${name} ${path}`,
            kind: 'delete',
            status: 'pending',
            rawInput: { path },
          });
        }
        this.working--;
        const results = await Promise.all(reply.calls.map((call) => this.#run(call, update, client)));
        this.working++;
        this.#history.push(
          ...reply.calls.map(({ tool, path }): Line => ({ kind: 'call', call: `${tool} ${path}` })),
          ...results,
        );
        if (this.#cancelled) return 'cancelled';
      }
    } finally {
      this.working--;
    }
  }

  async #run(scriptedCall: ScriptedCall, update: (fields: Data) => Promise<void>, client: Data): Promise<Line> {
    this.working++;
    const { id: toolCallId, tool, path } = scriptedCall;
    const call = `${tool} ${path}`;
    const report = (status: string, text?: string): Promise<void> =>
      update({
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status,
        ...(text !== undefined && { rawOutput: text, content: [{ type: 'content', content: { type: 'text', text } }] }),
      });
    const told = async (status: string, text: string): Promise<Line> => {
      await report(status, text);
      this.working--;
      return { kind: 'result', call, text };
    };
    if (asks(tool)) {
      const outcome = await this.#ask(toolCallId, call, client);
      if (outcome.outcome !== 'selected') this.#cancelled = true;
      if (outcome.outcome !== 'selected')
        return told(this.version === 1 ? 'failed' : 'cancelled', 'The user cancelled the turn.');
      if (!/^yes/.test(outcome.optionId)) return told('failed', 'The user rejected this call.');
    }
    await report('in_progress');
    this.ran.push(call);
    await slowly(path);
    return told('completed', done(tool, path));
  }

  async #ask(toolCallId: string, title: string, client: Data): Promise<Data> {
    const about =
      this.version === 1
        ? { toolCall: { toolCallId, title } }
        : { title, subject: { type: 'tool_call', toolCall: { toolCallId, title } } };
    this.asking++;
    this.working--;
    const { outcome } = await client.request('session/request_permission', {
      sessionId: 'chat',
      options: OPTIONS,
      ...about,
    });
    this.working++;
    this.asking--;
    this.outcomes.push(outcome);
    return outcome;
  }
}

/** An agent of either version of the protocol. */
export function acp(
  version: 1 | 2,
): Omit<Rig, 'open'> & { open(...args: Parameters<Rig['open']>): Promise<AcpSession> } {
  return {
    name: `ACP, version ${version}`,
    protocol: 'acp',
    waiting: { savedOnly: '`session/load` repeats the updates of a session, and not its open requests' },
    losesReasons: true,
    streams: true,
    async open(replies: readonly Reply[], options): Promise<AcpSession> {
      const agent = new Agent(version, scripted(replies));
      const { messages, send } = agent.connect();
      const gate = gateFor('acp', options);
      const sent: Data[] = [];
      /** The prompt whose reply is arriving. */
      let current: Outgoing | undefined;
      /** Requests of the agent that have no answer yet. */
      const open = new Map<unknown, Data>();
      const take = (message: Data): void => {
        if (message.method === 'session/request_permission') open.set(message.id, message);
        const about = { requestId: current?.id ?? '', attempt: current?.attempt ?? 1 };
        gate.receive(message, about);
        const reason = message.result?.stopReason ?? message.params?.update?.stopReason;
        if (!reason && !message.error) return;
        current = undefined;
        gate.streamEnded({ status: reason === 'max_turn_requests' ? 'step-limit' : 'finished' }, about);
      };
      const reading = (async (): Promise<void> => {
        await send({
          jsonrpc: '2.0',
          id: 'init',
          method: 'initialize',
          params: {
            protocolVersion: version,
            clientCapabilities: {},
            info: { name: 'test', version: '1' },
            capabilities: {},
          },
        });
        await messages.read();
        for (;;) {
          const { value, done: isOver } = await messages.read();
          if (isOver) return;
          take(value);
        }
      })();
      /** Waits until the turn has ended or waits only for the user. */
      const settled = async (): Promise<void> => {
        for (let round = 0; round < 2000; round++) {
          await new Promise((resolve) => setTimeout(resolve, 1));
          if (agent.working === 0 && (current === undefined || (open.size > 0 && open.size === agent.asking))) return;
        }
        throw new Error('the agent neither ends its turn nor requests a permission');
      };
      return {
        gate,
        sent,
        ran: agent.ran,
        prompts: agent.prompts,
        outcomes: agent.outcomes,
        async send(item) {
          const body = item.body as Data;
          if (item.kind === 'answer') open.delete(body.id);
          else current = item;
          sent.push(body);
          await send(body);
          await settled();
        },
        settled,
        open: () => [...open.values()],
        async cancel() {
          const message = { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'chat' } };
          sent.push(message);
          await send(message);
          gate.cancel();
        },
        async close() {
          await messages.cancel();
          await reading;
        },
      };
    },
  };
}
