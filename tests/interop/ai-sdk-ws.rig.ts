/**
 * A WebSocket server on the loopback: `streamText` of `ai` 7 with its mock model, and tools that wait on the server for
 * the browser's answer, with `ToolDelegate`. It records how each wait of a tool ended.
 */
import type { AddressInfo } from 'node:net';
import { convertToModelMessages, stepCountIs, streamText, tool, validateUIMessages } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import type { ToolGateOptions } from 'toolgate';
import { DelegateError, errorResult, ToolDelegate } from 'toolgate/server';
import { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { linesOf, partsOf } from './ai-sdk.server';
import { IN_THE_CLIENT, type Line, type Reply, type Rig, type Session } from './rig';
import { asks, done, gateFor, scripted, TOOLS, type Data } from './support';

/** The options of the server. */
export interface WsOptions {
  /**
   * Where tools that need approval run: on the server, after the approval, or in the browser, which sends the result.
   * Default: the server.
   */
  readonly runs?: 'server' | 'browser';
  /**
   * Whether a rejected or timed-out tool throws, or returns an error result. Default: it throws.
   */
  readonly rejected?: 'throws' | 'returns';
  /** The time limit of a waiting tool, in ms. */
  readonly timeoutMs?: number;
}

/** A chat over the socket. */
export interface WsSession extends Session {
  /** The frames that the client sent. */
  readonly sent: readonly Data[];
  /** The chunks that the server sent. */
  readonly chunks: readonly Data[];
  /** How each wait of a tool ended: the call, and the result or error. */
  readonly waits: readonly { readonly call: string; readonly result?: unknown; readonly error?: Error }[];
  /** The codes of the answers that the delegate refused. */
  readonly refused: readonly string[];
  /** Sends any frame, and waits until the server has it. */
  frame(frame: unknown): Promise<void>;
  /** Waits until the turn has ended or waits only for the user. */
  settled(): Promise<void>;
}

/** The state of one connection on the server. */
class Chat {
  readonly ran: string[] = [];
  readonly prompts: Line[][] = [];
  readonly waits: { call: string; result?: unknown; error?: Error }[] = [];
  readonly refused: string[] = [];
  readonly chunks: Data[] = [];
  readonly delegate: ToolDelegate;
  /** The number of received frames. */
  received = 0;
  /** The number of calls in the model's last reply that were not announced yet. */
  untold = 0;
  /** The announced calls that have no result yet. */
  readonly open = new Set<string>();
  isOver = true;

  constructor(
    readonly next: ReturnType<typeof scripted>,
    readonly options: WsOptions,
  ) {
    this.delegate = new ToolDelegate(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs });
  }

  /** Whether all unfinished work waits for the user. */
  get isQuiet(): boolean {
    return this.isOver || (this.untold === 0 && this.open.size > 0 && this.open.size === this.delegate.waiting.length);
  }

  take(text: string, send: (frame: unknown) => void): void {
    this.received++;
    const frame: Data = JSON.parse(text);
    if (frame.type === 'message')
      return void this.#reply(frame.data, send).catch((error: unknown) =>
        send({ type: 'error', errorText: String(error) }),
      );
    try {
      this.delegate.receive(frame);
    } catch (error) {
      if (!(error instanceof DelegateError)) throw error;
      this.refused.push(error.code);
    }
  }

  async #execute(name: string, path: string, toolCallId: string): Promise<unknown> {
    const call = `${name} ${path}`;
    if (asks(name)) {
      try {
        const result = await this.delegate.wait(toolCallId, { permission: this.options.runs !== 'browser' });
        this.waits.push({ call, result });
        if (this.options.runs === 'browser') return result;
      } catch (error) {
        this.waits.push({ call, error: error as Error });
        if (this.options.rejected === 'returns') return errorResult(error);
        throw error;
      }
    }
    this.ran.push(call);
    return done(name, path);
  }

  async #reply({ messages: history }: Data, send: (frame: unknown) => void): Promise<void> {
    this.isOver = false;
    const schema = { inputSchema: z.strictObject({ path: z.string() }) };
    const tools = Object.fromEntries(
      TOOLS.map((name) => [
        name,
        tool({ ...schema, execute: ({ path }, { toolCallId }) => this.#execute(name, path, toolCallId) }),
      ]),
    );
    const doStream = async ({ prompt }: Data): Promise<Data> => {
      this.prompts.push(linesOf(prompt));
      const reply = this.next();
      this.untold = 'calls' in reply ? reply.calls.length : 0;
      return { stream: convertArrayToReadableStream(partsOf(reply)) };
    };
    const messages = await validateUIMessages<Data>({ messages: history, tools: tools as Data });
    const result = streamText({
      model: new MockLanguageModelV4({ doStream }),
      tools,
      messages: await convertToModelMessages(messages, { tools }),
      stopWhen: stepCountIs(5),
      maxRetries: 0,
      onError: () => {},
    });
    for await (const chunk of result.toUIMessageStream({
      originalMessages: messages,
      onError: (error) => String(error),
    }) as AsyncIterable<Data>) {
      const { type, toolCallId, toolName } = chunk;
      this.chunks.push(chunk);
      send(chunk);
      if (/^tool-output/.test(type)) this.open.delete(toolCallId);
      if (type !== 'tool-input-available') continue;
      this.open.add(toolCallId);
      this.untold--;
      if (!asks(toolName)) continue;
      this.delegate.expect(toolCallId, { permission: this.options.runs !== 'browser' });
      send({ type: 'tool-approval-request', approvalId: `approval-${toolCallId}`, toolCallId });
    }
    send('[DONE]');
    this.isOver = true;
  }
}

/** A server with tools that wait for the browser. */
export function aiSdkWs(
  options: WsOptions = {},
): Omit<Rig, 'open'> & { open(replies: readonly Reply[], gate: ToolGateOptions): Promise<WsSession> } {
  return {
    name: 'AI SDK over a WebSocket',
    protocol: 'ai-sdk-ws',
    waiting: IN_THE_CLIENT,
    streams: true,
    async open(replies, gateOptions): Promise<WsSession> {
      const chat = new Chat(scripted(replies), options);
      const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
      const written: unknown[] = [];
      server.on('connection', (socket) => {
        const send = (frame: unknown): void => {
          written.push(frame);
          socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
        };
        socket.on('message', (data) => chat.take(String(data), send));
      });
      await new Promise((resolve) => server.once('listening', resolve));
      const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const socket = new WebSocket(url);
      await new Promise((resolve) => socket.once('open', resolve));

      const gate = gateFor('ai-sdk-ws', gateOptions);
      const sent: Data[] = [];
      let read = 0;
      /** The request whose reply is arriving. */
      let about: { requestId: string; attempt: number } | undefined;
      socket.on('message', (data) => {
        read++;
        const frame = String(data);
        gate.receive(frame, about);
        if (frame !== '[DONE]') return;
        const ended = about;
        about = undefined;
        gate.streamEnded({ status: 'finished' }, ended);
      });
      const until = async (condition: () => boolean, what: string): Promise<void> => {
        for (let round = 0; !condition(); round++) {
          if (round > 2000) throw new Error(`timed out waiting for: ${what}`);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      };
      const settled = (): Promise<void> =>
        until(
          () => chat.received === sent.length && chat.isQuiet && read === written.length,
          'all work is done except for calls that wait for the user',
        );
      const frame = async (value: unknown): Promise<void> => {
        sent.push(value);
        socket.send(JSON.stringify(value));
        await until(() => chat.received === sent.length, 'the server has received the frame');
      };
      return {
        gate,
        url,
        sent,
        frame,
        settled,
        ran: chat.ran,
        prompts: chat.prompts,
        chunks: chat.chunks,
        waits: chat.waits,
        refused: chat.refused,
        async send({ id: requestId, attempt, kind, body }) {
          if (kind === 'submission') about = { requestId, attempt };
          if (kind === 'submission') chat.isOver = false;
          await frame(body);
          await settled();
        },
        async close() {
          chat.delegate.close();
          socket.terminate();
          await new Promise((resolve) => server.close(resolve));
        },
      };
    },
  };
}
