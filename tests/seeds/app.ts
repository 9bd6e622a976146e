/**
 * A minimal app: a gate or a guarded chat, with a real `streamText` server.
 *
 * `App` is an app without the AI SDK's chat: it posts the items that the gate lists, passes the reply to the gate, and
 * reports how the reply ended. `chatOn` is `guard(new Chat(…))`. Tool runs and prompts are read from the backend's own
 * record (see tests/bugs/backend.ts). Only the model is mocked.
 */
import { readFileSync } from 'node:fs';

import { Chat as Chat7 } from '@ai-sdk/react';
import { Chat as Chat6 } from 'ai-sdk-react6';
import { ToolGate, type AiSdkBody, type GateEvent, type GateMessage, type Outgoing, type SavedGate } from 'toolgate';
import type { Outcome, RestoreOptions, StreamEnd, ToolGateOptions, ToolPart, ToolResultEvent } from 'toolgate';
import { gateOf, guard } from 'toolgate/ai-sdk';

import { Backend, type BackendOptions } from '../bugs/backend';
import { init } from 'toolgate/slim';

await init(readFileSync(new URL('../../pkg/dist/toolgate.wasm', import.meta.url)));

/** Both generations of the server. */
export const versions = [6, 7] as const;

/** A short form of a chunk of the stream. */
type Chunk = { readonly type: string; readonly finishReason?: unknown };

/** A gate and its backend. */
export class App {
  gate: ToolGate;
  backend: Backend;
  readonly events: GateEvent[] = [];
  /** Called with each chunk after the gate received it, for actions of the user while the reply arrives. */
  onChunk: (chunk: Chunk) => void = () => {};
  /** The ending that the app reports if the stream does not contain it. */
  endsWith: StreamEnd['status'] = 'finished';
  #reading = new AbortController();

  constructor(backend: Backend, options: RestoreOptions = {}, snapshot?: SavedGate) {
    const all = { chatId: 'chat', ...options };
    this.backend = backend;
    this.gate = snapshot ? ToolGate.restore(snapshot, all) : new ToolGate(all);
    this.gate.onEvent((event) => void this.events.push(event));
  }

  /** Sends a user message. Resolves when nothing more is sent automatically. */
  async says(text: string): Promise<void> {
    this.gate.sendUserMessage({ text });
    await this.deliver();
  }

  /** The user approves or denies a call. */
  answers(call: string, approved: boolean, reason?: string): void {
    const asked = this.gate.pending().find(({ toolCallId }) => toolCallId === call);
    if (!asked) throw new Error(`no approval is pending for ${call}`);
    const { approvalId, inputDigest } = asked;
    this.gate.respond(approvalId, { approved, inputDigest, ...(reason === undefined ? {} : { reason }) });
  }

  /** The user presses Esc. */
  interrupts(): void {
    this.gate.stop();
    this.#reading.abort();
  }

  /** Sends the ready requests, as in the README. */
  deliver(): Promise<void> {
    return this.gate.deliver((item) => this.#exchange(item as Outgoing<AiSdkBody>));
  }

  /** Reads the reply again, after its connection was lost. */
  async reconnects(): Promise<void> {
    const stream = await this.backend.transport.reconnectToStream();
    if (stream) await this.#read(stream);
    await this.deliver();
  }

  /** Closes the page and opens it again, with only the saved state. */
  reloads(options: RestoreOptions = {}): App {
    return new App(this.backend, options, JSON.parse(JSON.stringify(this.gate)) as SavedGate);
  }

  /** The status and the ending of the turn. */
  get turn(): string {
    const { status, ending = 'none' } = this.gate.getSnapshot().turn;
    return `${status}/${ending}`;
  }

  part(call: string): ToolPart {
    return partIn(this.gate.getSnapshot().messages, call);
  }

  /** The outcome of a call. */
  outcome(call: string): Outcome | undefined {
    return this.part(call).outcome;
  }

  /** The `tool-result` events so far, each with its call and content. */
  get results(): Record<string, unknown> {
    const results = this.events.filter((event): event is ToolResultEvent => event.type === 'tool-result');
    const named = Object.fromEntries(results.map(({ toolCallId, result }) => [toolCallId, result]));
    if (Object.keys(named).length !== results.length) throw new Error('a call has two results');
    return named;
  }

  async #exchange(item: Outgoing<AiSdkBody>): Promise<void> {
    this.#reading = new AbortController();
    const { messages, trigger, messageId } = item.body;
    const stream = await this.backend.transport.sendMessages({
      messages,
      trigger,
      ...(messageId === undefined ? {} : { messageId }),
      headers: { 'idempotency-key': item.key },
      abortSignal: this.#reading.signal,
    });
    await this.#read(stream, { requestId: item.id, attempt: item.attempt });
  }

  async #read(stream: ReadableStream<Chunk>, about?: { requestId: string; attempt: number }): Promise<void> {
    let status = this.endsWith;
    try {
      for await (const chunk of stream as unknown as AsyncIterable<Chunk>) {
        this.gate.receive(chunk, about);
        this.onChunk(chunk);
        if (this.#reading.signal.aborted) break;
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      status = 'disconnected';
    }
    this.gate.streamEnded({ status: this.#reading.signal.aborted ? 'aborted' : status }, about);
  }
}

/** A gate with a backend of its own. */
export const appOn = (version: 6 | 7, backend: BackendOptions, options?: ToolGateOptions): App =>
  new App(new Backend(version, backend), options);

/** The members of a guarded chat that the tests use. */
export interface GuardedChat {
  readonly messages: GateMessage[];
  readonly status: string;
  readonly lastMessage: GateMessage | undefined;
  sendMessage(message?: { text: string }): Promise<void>;
  stop(): Promise<void>;
  resumeStream(): Promise<void>;
  addToolApprovalResponse(answer: { id: string; approved: boolean; reason?: string }): Promise<void>;
}

/** `guard(new Chat(…))` with a backend of its own. */
export function chatOn(version: 6 | 7, options: BackendOptions, gate: ToolGateOptions = {}) {
  const backend = new Backend(version, options);
  let ids = 0;
  const Chat = (version === 7 ? Chat7 : Chat6) as unknown as new (options: object) => Parameters<typeof guard>[0];
  const made = new Chat({ id: 'chat', transport: backend.transport, generateId: () => `id-${ids++}` });
  const chat = guard(made, { gate }) as unknown as GuardedChat;
  return {
    chat,
    backend,
    gate: gateOf(chat),
    part: (call: string): ToolPart => partIn(chat.messages, call),
    /** The user presses a button beside the call. */
    async answers(call: string, approved: boolean, reason?: string): Promise<void> {
      const { id } = partIn(chat.messages, call).approval!;
      await chat.addToolApprovalResponse({ id, approved, ...(reason === undefined ? {} : { reason }) });
    },
    /** Waits until no request is in flight, and none was sent for a while. */
    async settled(): Promise<void> {
      for (let quiet = 0, turn = 0; quiet < 30 && turn < 5_000; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
        quiet = chat.status === 'submitted' || chat.status === 'streaming' || backend.open > 0 ? 0 : quiet + 1;
      }
    },
  };
}

/** The tool part of a call; throws unless there is exactly one. */
function partIn(messages: readonly GateMessage[], call: string): ToolPart {
  const parts = messages
    .flatMap(({ parts }) => parts)
    .filter((part) => 'toolCallId' in part && part.toolCallId === call);
  if (parts.length !== 1) throw new Error(`${call} is shown ${parts.length} times`);
  return parts[0] as ToolPart;
}

/** The results in a prompt, as `c1: …`, in order. */
export const resultsIn = (prompt: readonly string[] | undefined): string[] =>
  (prompt ?? []).flatMap((line) => (line.startsWith('result ') ? [line.slice('result '.length)] : []));
