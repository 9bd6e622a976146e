/**
 * A `ChatTransport` that plays scripted replies and records the requests.
 *
 * A reply is a list of chunks. They are copied, because AI SDK 6 modifies them. An error in the list breaks the stream.
 * A function is awaited before the next chunk, for actions of the user. An error instead of a list rejects the request.
 */

/** A parsed chunk. */
export type Chunk = { type: string; [key: string]: unknown };

/** One reply. */
export type Reply = unknown[] | Error | { readonly throws: unknown };

/** A request of the chat to the transport. */
export interface Sent {
  chatId: string;
  messages: { id: string; role: string; parts: { type: string; [key: string]: unknown }[] }[];
  abortSignal: AbortSignal | undefined;
  metadata: unknown;
  headers: Record<string, string>;
  body: unknown;
  trigger: string;
  messageId: string | undefined;
}

/** The transport. After the last reply, it answers with the text `ok`. */
export class ScriptedTransport {
  /** Requests, with copies of their messages. */
  readonly requests: Sent[] = [];
  /** Attempts to reconnect. */
  readonly reconnects: { chatId: string; abortSignal?: AbortSignal; [key: string]: unknown }[] = [];
  /** The replies to reconnections, in order. None after the last. */
  readonly lost: (Reply | null)[] = [];
  /** The maximum number of requests that were open at the same time. */
  atOnce = 0;
  isClosed = false;
  resumeStreamIsReplay?: boolean;

  /** The replies, in order. */
  readonly replies: Reply[];
  #open = 0;

  constructor(replies: readonly Reply[]) {
    this.replies = [...replies];
  }

  sendMessages = async (request: Sent): Promise<ReadableStream<unknown>> => {
    this.requests.push({ ...request, messages: structuredClone(request.messages) });
    this.atOnce = Math.max(this.atOnce, this.#open + 1);
    const reply = this.replies[this.requests.length - 1] ?? says('ok', `reply-${this.requests.length}`);
    if (reply instanceof Error) throw reply;
    if ('throws' in reply) throw reply.throws;
    return this.#play(reply);
  };

  reconnectToStream = async (request: { chatId: string }): Promise<ReadableStream<unknown> | null> => {
    this.reconnects.push(request);
    const reply = this.lost[this.reconnects.length - 1] ?? null;
    if (reply instanceof Error) throw reply;
    if (reply !== null && 'throws' in reply) throw reply.throws;
    return reply && this.#play(reply);
  };

  close = (): void => void (this.isClosed = true);

  #play(reply: unknown[]): ReadableStream<unknown> {
    let next = 0;
    // A reply counts as open when reading starts.
    let isOpen = false;
    const count = (now: boolean): void => {
      if (now !== isOpen) this.#open += now ? 1 : -1;
      isOpen = now;
    };
    return new ReadableStream(
      {
        pull: async (controller) => {
          count(true);
          while (next < reply.length) {
            const item = reply[next++];
            if (typeof item === 'function') await (item as () => unknown)();
            else if (item instanceof Error) {
              count(false);
              return controller.error(item);
            } else return controller.enqueue(structuredClone(item));
          }
          count(false);
          controller.close();
        },
        cancel: () => count(false),
      },
      { highWaterMark: 0 },
    );
  }
}

/** A reply with one text. */
export const says = (text: string, messageId = 'a1'): Chunk[] => [
  { type: 'start', messageId },
  { type: 'start-step' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: text },
  { type: 'text-end', id: 't' },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'stop' },
];

/** A reply with one call per id and its approval request. The approval of `c1` is `ask-c1`. */
export const asks = (calls: readonly string[], messageId = 'a1', tool = 'edit'): Chunk[] => [
  { type: 'start', messageId },
  { type: 'start-step' },
  ...calls.flatMap((id) => [
    { type: 'tool-input-available', toolCallId: id, toolName: tool, input: { file: id } },
    { type: 'tool-approval-request', toolCallId: id, approvalId: `ask-${id}` },
  ]),
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'tool-calls' },
];

/** A reply that continues a message: the results of the calls, then a text. */
export const goesOn = (results: Readonly<Record<string, unknown>>, messageId = 'a1', text = 'done'): Chunk[] => [
  { type: 'start', messageId },
  ...Object.entries(results).map(([toolCallId, output]) =>
    output === 'denied'
      ? { type: 'tool-output-denied', toolCallId }
      : { type: 'tool-output-available', toolCallId, output },
  ),
  ...says(text, messageId).slice(1),
];

/** A reply that calls a browser tool. */
export const calls = (ids: readonly string[], messageId = 'a1', tool = 'pick'): Chunk[] => [
  { type: 'start', messageId },
  { type: 'start-step' },
  ...ids.map((id) => ({ type: 'tool-input-available', toolCallId: id, toolName: tool, input: { of: id } })),
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'tool-calls' },
];

/** A promise and its resolver. */
export function gatekeeper(): { readonly opened: Promise<void>; open(): void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
