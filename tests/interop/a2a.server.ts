/**
 * An agent behind the server of `@a2a-js/sdk`, on the loopback. The server, its store of tasks and its transport are
 * the SDK's; the agent is an executor of ours with a scripted model, as an app writes it. It asks for approvals as
 * `a2a` documents, and remembers each context's messages.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AGENT_CARD_PATH, Role, TaskState, type Message, type Part, type Task } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultExecutionEventBusManager,
  DefaultRequestHandler,
  InMemoryTaskStore,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import type { Line, Reply, ScriptedCall } from './rig';
import { asks, done, scripted, slowly, type Data, type Served } from './support';

/** A call in the agent's memory. It waits as long as it has no result. */
interface Made extends ScriptedCall {
  readonly kind: 'call';
  result?: string;
}

/** What the agent reads of a message that it received. */
type Asked = Pick<RequestContext, 'taskId' | 'contextId' | 'userMessage' | 'task'>;

/** How the agent asks for an approval: in the convention of `a2a`, or in the format of another agent. */
export type Manner = 'convention' | 'agent-stack' | 'action';

/** The key of Agent Stack's extension in a message's metadata. */
export const AGENT_STACK = 'https://a2a-extensions.agentstack.beeai.dev/interactions/approval/v1';

/** What the agent does by itself, instead of calling its model: it asks a plain question, or waits for credentials. */
export type OwnReply = { readonly ask: string } | { readonly auth: ScriptedCall };

const textPart = (value: string): Part => ({
  content: { $case: 'text', value },
  metadata: undefined,
  filename: '',
  mediaType: '',
});
const dataPart = (value: Data): Part => ({ ...textPart(''), content: { $case: 'data', value } });

const textOf = ({ parts }: Message): string =>
  parts.flatMap(({ content }) => (content?.$case === 'text' ? content.value : [])).join('');

/** The agent, and the records of its model and its tools. */
export class ScriptedAgent implements AgentExecutor {
  readonly ran: string[] = [];
  readonly prompts: Line[][] = [];
  /** The messages of users, as the agent received them. */
  readonly received: Message[] = [];
  readonly #memory = new Map<string, (Line | Made)[]>();
  readonly #waiting = new Map<string, Made[]>();
  /** What runs, one after the other. */
  #running: Promise<void> = Promise.resolve();
  readonly #next: () => Exclude<Reply, { error: string }> | OwnReply;
  readonly #manner: Manner;
  #ids = 0;

  constructor(replies: readonly (Reply | OwnReply)[], manner: Manner) {
    this.#next = scripted(replies as readonly Reply[]);
    this.#manner = manner;
  }

  execute = async ({ taskId, contextId, userMessage, task }: RequestContext, bus: ExecutionEventBus): Promise<void> => {
    // As A2A suggests: an agent that knows the id of a message drops it. The request reads what the first one began.
    const isKnown = this.received.some(({ messageId }) => messageId === userMessage.messageId);
    this.received.push(userMessage);
    if (isKnown) return this.#running;
    const running = this.#running.then(() => this.#execute({ taskId, contextId, userMessage, task }, bus));
    this.#running = running.catch(() => {});
    return running;
  };

  async #execute({ taskId, contextId, userMessage, task }: Asked, bus: ExecutionEventBus): Promise<void> {
    const memory = this.#memory.get(contextId) ?? [];
    this.#memory.set(contextId, memory);
    const about = { taskId, contextId };
    const first: Task = task ?? {
      id: taskId,
      contextId,
      status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: undefined },
      artifacts: [],
      history: [userMessage],
      metadata: undefined,
    };
    // The last message of a task is not in a history that an agent publishes again.
    if (task && !first.history.some(({ messageId }) => messageId === userMessage.messageId))
      first.history.push(userMessage);
    bus.publish(AgentEvent.task(first));
    const waiting = this.#waiting.get(taskId) ?? [];
    if (waiting.length) {
      const results = await this.#settle(waiting, userMessage);
      if (results.length) this.#status(bus, about, TaskState.TASK_STATE_WORKING, results);
      const left = waiting.filter(({ result }) => result === undefined);
      this.#waiting.set(taskId, left);
      if (left.length) return this.#ask(bus, about, left);
    } else {
      // A new message abandons what waits elsewhere in the context.
      for (const entry of memory) if (entry.kind === 'call') (entry as Made).result ??= 'It was not executed.';
      memory.push({ kind: 'user', text: textOf(userMessage) });
    }
    for (;;) {
      this.prompts.push(linesOf(memory));
      const reply = this.#next();
      if ('ask' in reply) {
        memory.push({ kind: 'text', text: reply.ask });
        return this.#status(bus, about, TaskState.TASK_STATE_INPUT_REQUIRED, [textPart(reply.ask)]);
      }
      if ('auth' in reply) {
        const request = callPart('tool-approval-request')({ kind: 'call', ...reply.auth });
        this.#status(bus, about, TaskState.TASK_STATE_AUTH_REQUIRED, [textPart('Sign in.'), request]);
        continue;
      }
      if ('text' in reply) {
        memory.push({ kind: 'text', text: reply.text });
        return this.#say(bus, about, reply.text);
      }
      const calls = reply.calls.map((call): Made => ({ kind: 'call', ...call }));
      memory.push(...calls);
      const free = calls.filter(({ tool }) => !asks(tool));
      if (free.length) this.#status(bus, about, TaskState.TASK_STATE_WORKING, free.map(callPart('tool-call')));
      const results = await Promise.all(free.map((call) => this.#run(call)));
      if (results.length) this.#status(bus, about, TaskState.TASK_STATE_WORKING, results);
      const asked = calls.filter(({ tool }) => asks(tool));
      this.#waiting.set(taskId, asked);
      if (asked.length) return this.#ask(bus, about, asked);
    }
  }

  cancelTask = async (taskId: string, bus: ExecutionEventBus): Promise<void> => {
    for (const call of this.#waiting.get(taskId) ?? []) call.result ??= 'The user cancelled it. It was not executed.';
    this.#waiting.delete(taskId);
    this.#status(bus, { taskId, contextId: '' }, TaskState.TASK_STATE_CANCELED, []);
  };

  /** Applies the answers of a message, and ignores those without an open request. Returns the results, as parts. */
  async #settle(waiting: readonly Made[], { parts, metadata }: Message): Promise<Part[]> {
    const answers: Data[] = parts.flatMap(({ content }) => (content?.$case === 'data' ? content.value : []));
    const results = waiting.map(async (call, place) => {
      const own = answers.find(({ type, approvalId }) => type === 'tool-approval-response' && approvalId === call.id);
      const action = answers.find(({ action_id: id }) => id === call.id);
      const stacked = place === 0 ? metadata?.[AGENT_STACK] : undefined;
      const answer = { convention: own, action, 'agent-stack': stacked }[this.#manner];
      if (!answer) return [];
      if (answer.approved ?? answer.confirmed ?? answer.decision === 'approve') return this.#run(call);
      call.result = `The user denied it. ${answer.reason ?? ''}`;
      return dataPart({ type: 'tool-result', toolCallId: call.id, error: call.result });
    });
    return (await Promise.all(results)).flat();
  }

  async #run(call: Made): Promise<Part> {
    this.ran.push(`${call.tool} ${call.path}`);
    await slowly(call.path);
    call.result = done(call.tool, call.path);
    return dataPart({ type: 'tool-result', toolCallId: call.id, output: call.result });
  }

  /** Asks for the approvals of a step: for all at once, or one after the other. */
  #ask(bus: ExecutionEventBus, about: { taskId: string; contextId: string }, calls: readonly Made[]): void {
    const state = TaskState.TASK_STATE_INPUT_REQUIRED;
    const [{ id, tool, path }] = calls as [Made];
    if (this.#manner === 'convention') this.#status(bus, about, state, calls.map(callPart('tool-approval-request')));
    else if (this.#manner === 'action')
      this.#status(bus, about, state, [textPart(`${tool} ${path}`)], { action_id: id });
    else {
      const request = { action: 'tool-call', name: tool, description: 'It changes files.', input: { path } };
      this.#status(bus, about, state, [textPart('Approval requested')], { [AGENT_STACK]: request });
    }
  }

  #say(bus: ExecutionEventBus, about: { taskId: string; contextId: string }, text: string): void {
    const artifactId = `artifact-${this.#ids++}`;
    [text.slice(0, 3), text.slice(3)].forEach((piece, place) =>
      bus.publish(
        AgentEvent.artifactUpdate({
          ...about,
          artifact: {
            artifactId,
            name: 'answer',
            description: '',
            parts: [textPart(piece)],
            metadata: undefined,
            extensions: [],
          },
          append: place > 0,
          lastChunk: place > 0,
          metadata: undefined,
        }),
      ),
    );
    this.#status(bus, about, TaskState.TASK_STATE_COMPLETED, []);
  }

  #status(
    bus: ExecutionEventBus,
    about: { taskId: string; contextId: string },
    state: TaskState,
    parts: readonly Part[],
    metadata?: Record<string, unknown>,
  ): void {
    const message: Message = {
      messageId: `status-${this.#ids++}`,
      role: Role.ROLE_AGENT,
      parts: [...parts],
      extensions: [],
      referenceTaskIds: [],
      metadata,
      ...about,
    };
    const status = { state, message: parts.length ? message : undefined, timestamp: new Date(0).toISOString() };
    bus.publish(AgentEvent.statusUpdate({ ...about, status, metadata: undefined }));
  }
}

/** Makes the part of a call. */
const callPart =
  (type: string) =>
  ({ id: toolCallId, tool: toolName, path }: Made): Part =>
    dataPart({ type, toolCallId, toolName, input: { path } });

/** The messages that the model receives. The results of a step follow its calls. */
function linesOf(memory: readonly (Line | Made)[]): Line[] {
  const lines: Line[] = [];
  let results: Line[] = [];
  for (const entry of memory) {
    if (entry.kind !== 'call') {
      lines.push(...results, entry);
      results = [];
      continue;
    }
    const { tool, path, result } = entry as Made;
    const call = `${tool} ${path}`;
    lines.push({ kind: 'call', call });
    if (result !== undefined) results.push({ kind: 'result', call, text: result });
  }
  return [...lines, ...results];
}

/** Serves an agent with the SDK's server. */
export async function serveAgent(agent: AgentExecutor): Promise<Served> {
  const app = express();
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card: Data = {
    name: 'Files',
    description: 'Tidies files.',
    version: '1.0.0',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
    capabilities: { streaming: true, pushNotifications: false, extensions: [] },
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [],
    securitySchemes: {},
    securityRequirements: [],
    signatures: [],
  };
  const buses = new DefaultExecutionEventBusManager();
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), agent, buses);
  app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: requestHandler }));
  app.use(jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
