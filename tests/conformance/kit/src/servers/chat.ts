/** Posts requests to a server as an AI SDK client does, and reads its replies. */
import type { Answer } from './cases.js';

/** A tool part of an assistant message. */
interface ToolPart {
  readonly type: string;
  readonly toolCallId: string;
  readonly state: string;
  readonly input: unknown;
  readonly approval?: { readonly id: string; readonly [key: string]: unknown };
}

interface Message {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly parts: readonly object[];
}

/** A request that was posted. */
export interface Posted {
  readonly body: string;
  readonly key: string;
}

/** How a request is posted. */
export interface PostOptions {
  /** The id of another chat. */
  readonly chat?: string;
  /** The `Idempotency-Key`. Default: a new one. */
  readonly key?: string;
}

/** A conversation with the server. */
export class Chat {
  /** All posted requests. */
  readonly posted: Posted[] = [];
  readonly #url: string;
  readonly #id: string;
  readonly #timeoutMs: number;
  /** The tool parts of the reply, with the approval requests as they arrived. */
  readonly #parts = new Map<string, ToolPart>();
  #asking: Message = userMessage('m-1', '');
  #replyId = 'reply-1';
  #keys = 0;
  /** The status of the last reply. */
  #status = 0;

  constructor(url: string, id: string, timeoutMs: number) {
    this.#url = url;
    this.#id = id;
    this.#timeoutMs = timeoutMs;
  }

  /** Lets the model make calls. Throws if the server does not request an approval for each. */
  async ask(calls: readonly { readonly id: string; readonly path: string }[]): Promise<void> {
    this.#asking = userMessage('m-1', JSON.stringify({ calls }));
    const reply = await this.post([this.#asking]);
    const answer = `${this.#status} ${reply || '(an empty body)'}`;
    for (const [, json] of reply.matchAll(/^data: (\{.*)$/gm)) this.#read(JSON.parse(json!) as Record<string, unknown>);
    const missing = calls.filter(({ id }) => this.#parts.get(id)?.approval === undefined).map(({ id }) => id);
    if (missing.length === 0) return;
    throw new Error(`The server has not asked for an approval of ${missing.join(', ')}; it answered ${answer}`);
  }

  /** The messages with these answers. */
  answered(answers: Readonly<Record<string, Answer>>): Message[] {
    const parts = Object.entries(answers).map(([id, answer]) => this.#answered(id, answer));
    return [this.#asking, { id: this.#replyId, role: 'assistant', parts: [{ type: 'step-start' }, ...parts] }];
  }

  /** The messages with a new message of the user, which denies all calls. */
  moved(text: string): Message[] {
    const parts = [...this.#parts.keys()].map((id) => ({
      ...this.#answered(id, { deny: 'The user wrote a message instead.' }),
      state: 'output-denied',
    }));
    const reply = { id: this.#replyId, role: 'assistant', parts: [{ type: 'step-start' }, ...parts] } as const;
    return [this.#asking, reply, userMessage('m-2', text)];
  }

  /** Posts messages, or the bytes of an earlier request. Resolves to the reply. */
  async post(content: readonly Message[] | string, options: PostOptions = {}): Promise<string> {
    const { chat = this.#id, key = `${this.#id}-${this.#keys++}` } = options;
    const body =
      typeof content === 'string'
        ? content
        : JSON.stringify({ id: chat, messages: content, trigger: 'submit-message' });
    this.posted.push({ body, key });
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body,
      signal: AbortSignal.timeout(this.#timeoutMs),
    }).catch((error: unknown) => {
      throw new Error(reasonOf(error, this.#timeoutMs));
    });
    this.#status = response.status;
    // A server may refuse a request with any status, or break its reply off.
    return response.text().catch((error: unknown) => reasonOf(error, this.#timeoutMs));
  }

  #read({ type, toolCallId, toolName, input, approvalId, messageId, ...more }: Record<string, unknown>): void {
    if (type === 'start' && typeof messageId === 'string') this.#replyId = messageId;
    const id = String(toolCallId);
    if (type === 'tool-input-available')
      this.#parts.set(id, { type: `tool-${String(toolName)}`, toolCallId: id, state: 'input-available', input });
    const part = this.#parts.get(id);
    // The signature and all other fields are sent back, as a client does.
    if (type === 'tool-approval-request' && part)
      this.#parts.set(id, { ...part, approval: { id: String(approvalId), ...more } });
  }

  #answered(id: string, answer: Answer): ToolPart {
    const state = 'approval-responded';
    if ('invent' in answer) {
      const input = { path: answer.invent };
      const [{ type }] = [...this.#parts.values()] as [ToolPart];
      return { type, toolCallId: id, state, input, approval: { id: 'made-up', approved: true } };
    }
    const part = this.#parts.get(id)!;
    const own = part.approval!;
    if ('deny' in answer) return { ...part, state, approval: { ...own, approved: false, reason: answer.deny } };
    const approval = 'approveAs' in answer ? this.#parts.get(answer.approveAs)!.approval! : own;
    const input = 'approveWith' in answer ? { path: answer.approveWith } : part.input;
    return { ...part, state, input, approval: { ...approval, approved: true } };
  }
}

const userMessage = (id: string, text: string): Message => ({ id, role: 'user', parts: [{ type: 'text', text }] });

/** Why a request failed. `fetch` names the reason in the error's cause only. */
export function reasonOf(error: unknown, timeoutMs: number): string {
  const { name, message, cause } = error as {
    name?: string;
    message?: string;
    cause?: { message?: string; code?: string };
  };
  if (name === 'TimeoutError') return `no complete answer after ${timeoutMs} ms`;
  const reason = cause?.message || cause?.code;
  return reason ? `${message}: ${reason}` : String(error);
}
