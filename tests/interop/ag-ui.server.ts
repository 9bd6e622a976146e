/**
 * An agent made with `@ag-ui/client`, served over HTTP with `@ag-ui/encoder`, with a scripted model. It follows the
 * section "Interrupts" of AG-UI's specification: every open interrupt must be answered once, in one resume, before it
 * expires; otherwise the agent sends a RUN_ERROR. The schemas of `@ag-ui/core` check the requests and the agent's
 * events.
 */
import {
  AbstractAgent,
  type BaseEvent,
  EventType,
  type Interrupt,
  type Message,
  type RunAgentInput,
  type ToolCall,
} from '@ag-ui/client';
import { EventSchemas, RunAgentInputSchema } from '@ag-ui/core/schemas';
import { EventEncoder } from '@ag-ui/encoder';
import { from as observe, lastValueFrom, type Observable, toArray } from 'rxjs';
import type { Line, Reply } from './rig';
import { done, serve, written } from './support';

/** Options of the server, where the protocol allows several behaviours. */
export interface AgUiOptions {
  /** Texts and calls are sent as `_CHUNK` events. */
  readonly chunks?: boolean;
  /** When interrupts expire. */
  readonly expiresAt?: string;
  /** Additional interrupts of a run with approval requests. */
  readonly asks?: readonly Interrupt[];
}

/** A running server, and its record. */
export interface AgUiServer {
  readonly url: string;
  readonly requests: readonly RunAgentInput[];
  readonly ran: readonly string[];
  readonly prompts: readonly (readonly Line[])[];
  /** The answers to interrupts without a call. */
  readonly answers: readonly unknown[];
  close(): Promise<void>;
}

interface Open {
  readonly interrupt: Interrupt;
  readonly call?: ToolCall;
}

/**
 * The schema of an answer to an approval. The property `editedArgs` means that the answer may contain an edited input.
 */
const SCHEMA = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' }, reason: { type: 'string' } },
  required: ['approved'],
};

class ScriptedAgent extends AbstractAgent {
  readonly ran: string[] = [];
  readonly prompts: Line[][] = [];
  readonly answers: unknown[] = [];
  readonly #replies: Reply[];
  readonly #options: AgUiOptions;
  #open: Open[] = [];
  #count = 0;

  constructor(replies: readonly Reply[], options: AgUiOptions) {
    super();
    this.#replies = [...replies];
    this.#options = options;
  }

  run(input: RunAgentInput): Observable<BaseEvent> {
    return observe(this.#run(input));
  }

  #execute({ function: { name, arguments: given } }: ToolCall, edited?: { path: string }): string {
    const { path } = edited ?? (JSON.parse(given) as { path: string });
    this.ran.push(`${name} ${path}`);
    return done(name, path);
  }

  /** The reason for which a resume is refused. */
  #refusal({ resume = [] }: RunAgentInput): string | undefined {
    const open = this.#open.map(({ interrupt }) => interrupt.id);
    const answered = resume.map(({ interruptId }) => interruptId);
    if (answered.some((id) => !open.includes(id))) return 'a resume entry without an open interrupt';
    if (new Set(answered).size !== answered.length) return 'two entries for one interrupt';
    if (answered.length !== open.length) return 'an open interrupt is not answered';
    for (const { interruptId, status, payload } of resume) {
      const expiresAt = this.#open.find(({ interrupt }) => interrupt.id === interruptId)?.interrupt.expiresAt;
      if (status === 'resolved' && expiresAt && Date.parse(expiresAt) <= Date.now()) return 'an interrupt has expired';
      if (status === 'cancelled' && payload !== undefined) return 'a payload with a cancelled interrupt';
    }
    return undefined;
  }

  *#run(input: RunAgentInput): Generator<BaseEvent> {
    const head = { threadId: input.threadId, runId: input.runId };
    yield { type: EventType.RUN_STARTED, ...head };
    const refusal = this.#refusal(input);
    if (refusal) return yield { type: EventType.RUN_ERROR, message: refusal };
    const messages: Message[] = [...input.messages];
    const answer = (call: ToolCall, content: string): BaseEvent => {
      const id = `result-${this.#count++}`;
      messages.push({ id, role: 'tool', toolCallId: call.id, content });
      return { type: EventType.TOOL_CALL_RESULT, messageId: id, toolCallId: call.id, content, role: 'tool' };
    };
    for (const { interrupt, call } of this.#open) {
      const { status, payload } = input.resume?.find(({ interruptId }) => interruptId === interrupt.id) ?? {};
      if (!call) this.answers.push(status === 'cancelled' ? status : payload);
      else if (status === 'cancelled') yield answer(call, 'Not executed: cancelled.');
      else
        yield answer(
          call,
          payload.approved ? this.#execute(call, payload.editedArgs) : `Not executed: denied. ${payload.reason ?? ''}`,
        );
    }
    this.#open = [];
    for (;;) {
      this.prompts.push(linesOf(messages));
      const reply = this.#replies.shift();
      if (!reply || 'error' in reply)
        return yield { type: EventType.RUN_ERROR, message: reply?.error ?? 'the script has no more replies' };
      const messageId = `said-${this.#count++}`;
      if ('text' in reply) {
        yield* this.#texts(messageId, reply.text);
        return yield { type: EventType.RUN_FINISHED, ...head, outcome: { type: 'success' } };
      }
      const toolCalls = reply.calls.map(({ id, tool, path }): ToolCall => ({
        id,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify({ path }) },
      }));
      for (const call of toolCalls) yield* this.#calls(messageId, call);
      messages.push({ id: messageId, role: 'assistant', toolCalls });
      for (const call of toolCalls) {
        if (call.function.name === 'read') yield answer(call, this.#execute(call));
        else this.#open.push({ call, interrupt: this.#interruptFor(call) });
      }
      this.#open.push(...(this.#options.asks ?? []).map((interrupt) => ({ interrupt })));
      if (!this.#open.length) continue;
      yield { type: EventType.STATE_SNAPSHOT, snapshot: { step: this.#count } };
      yield { type: EventType.MESSAGES_SNAPSHOT, messages };
      return yield {
        type: EventType.RUN_FINISHED,
        ...head,
        outcome: { type: 'interrupt', interrupts: this.#open.map(({ interrupt }) => interrupt) },
      };
    }
  }

  #interruptFor({ id, function: { name } }: ToolCall): Interrupt {
    const { expiresAt } = this.#options;
    return {
      id: `ask-${id}`,
      reason: 'tool_call',
      message: `Run ${name}?`,
      toolCallId: id,
      responseSchema: SCHEMA,
      ...(expiresAt && { expiresAt }),
    };
  }

  *#texts(messageId: string, text: string): Generator<BaseEvent> {
    if (this.#options.chunks) {
      yield { type: EventType.TEXT_MESSAGE_CHUNK, messageId, role: 'assistant', delta: text.slice(0, 2) };
      return yield { type: EventType.TEXT_MESSAGE_CHUNK, delta: text.slice(2) };
    }
    yield { type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' };
    for (const delta of [text.slice(0, 2), text.slice(2)])
      yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta };
    yield { type: EventType.TEXT_MESSAGE_END, messageId };
  }

  *#calls(
    parentMessageId: string,
    { id: toolCallId, function: { name: toolCallName, arguments: text } }: ToolCall,
  ): Generator<BaseEvent> {
    const [first, second] = [text.slice(0, 4), text.slice(4)];
    if (this.#options.chunks) {
      yield { type: EventType.TOOL_CALL_CHUNK, toolCallId, toolCallName, parentMessageId, delta: first };
      return yield { type: EventType.TOOL_CALL_CHUNK, toolCallId, delta: second };
    }
    yield { type: EventType.TOOL_CALL_START, toolCallId, toolCallName, parentMessageId };
    for (const delta of [first, second]) yield { type: EventType.TOOL_CALL_ARGS, toolCallId, delta };
    yield { type: EventType.TOOL_CALL_END, toolCallId };
  }
}

function linesOf(messages: readonly Message[]): Line[] {
  const calls = new Map<string, string>();
  return messages.flatMap((message): Line[] => {
    const text = typeof message.content === 'string' ? message.content : undefined;
    if (message.role === 'tool') return [{ kind: 'result', text, call: calls.get(message.toolCallId) }];
    if (message.role !== 'assistant') return [{ kind: message.role === 'user' ? 'user' : 'other', text }];
    const made = (message.toolCalls ?? []).map(({ id, function: { name, arguments: given } }): Line => {
      calls.set(id, `${name} ${JSON.parse(given).path}`);
      return { kind: 'call', call: calls.get(id) };
    });
    return [...(text ? [{ kind: 'text', text } as const] : []), ...made];
  });
}

/** Serves one thread with a scripted model. */
export async function serveAgUi(replies: readonly Reply[], options: AgUiOptions = {}): Promise<AgUiServer> {
  const agent = new ScriptedAgent(replies, options);
  const requests: RunAgentInput[] = [];
  const { url, close } = await serve(async (body, { headers }) => {
    const { data, error } = RunAgentInputSchema.safeParse(body);
    if (!data) return new Response(error.message, { status: 422 });
    const input = data as RunAgentInput;
    requests.push(input);
    const encoder = new EventEncoder({ accept: headers.get('accept') ?? '' });
    const events = await lastValueFrom(agent.run(input).pipe(toArray()));
    return written(
      from(events.map((event) => encoder.encode(EventSchemas.parse(event) as BaseEvent))),
      encoder.getContentType(),
    );
  });
  const { ran, prompts, answers } = agent;
  return { url, requests, ran, prompts, answers, close };
}

async function* from(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}
