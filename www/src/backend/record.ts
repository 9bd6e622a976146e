/**
 * The backend's own record of a chat: every request it received, every prompt its model got, every tool that ran.
 * The record panel shows it and the browser tests assert on it. It is written only by the backend, so it is
 * independent of what the page believes. Each change makes a new, immutable snapshot.
 */
import type { Files } from './workspace';

/** One approval response found in the last assistant message of a request. */
export interface ReceivedDecision {
  approvalId: string;
  toolCallId: string;
  toolName: string;
  approved: boolean;
  reason?: string;
}

/** What the backend did with a request. */
export type Handling = 'model' | 'replayed' | 'nothing' | 'refused';

/** One request as it arrived. */
export interface ReceivedRequest {
  /** Counts from 1 within a chat. */
  n: number;
  /** The `Idempotency-Key` header, if there was one. */
  key: string | null;
  /** The parsed JSON body, untouched. */
  body: unknown;
  decisions: ReceivedDecision[];
  handling: Handling;
  /** How the reply ended, from the backend's side. */
  reply: 'open' | 'finished' | 'failed' | 'cut';
}

/** One call of the model. */
export interface ModelCall {
  n: number;
  /** Number of the request that caused it. */
  request: number;
  /** The exact prompt, in the form that the AI SDK hands to a model provider. */
  prompt: PromptMessage[];
}

/** A message of a model prompt: the AI SDK's `LanguageModelV4Message`, read loosely. */
export interface PromptMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | PromptPart[];
}

/** A content part of a model prompt. Only the fields that the demo reads are named. */
export interface PromptPart {
  type: string;
  text?: string;
  toolCallId?: string;
  toolName?: string;
  input?: unknown;
  output?: { type: string; value?: unknown; reason?: string };
}

/** One run of a tool. */
export interface ToolRun {
  n: number;
  toolCallId: string;
  toolName: string;
  input: unknown;
  /** `running` until it has settled. */
  result: 'running' | 'ok' | 'error';
  detail: string;
}

/** Everything the backend knows about one chat. Plain JSON. */
export interface BackendRecord {
  /** Name of the model that answers. */
  model: string;
  requests: readonly ReceivedRequest[];
  modelCalls: readonly ModelCall[];
  toolRuns: readonly ToolRun[];
  files: Files;
}

/** An empty record, for a new chat. */
export function emptyRecord(files: Files, model = 'scripted'): BackendRecord {
  return { model, requests: [], modelCalls: [], toolRuns: [], files };
}

/** Where a page reads the record: the backend inside the page, or one behind HTTP. */
export interface RecordSource {
  get(): BackendRecord;
  subscribe(listener: () => void): () => void;
}

/** Collects the record and notifies its listeners. */
export class Recorder implements RecordSource {
  #record: BackendRecord;
  readonly #listeners = new Set<() => void>();

  constructor(files: Files, model: string) {
    this.#record = emptyRecord(files, model);
  }

  /** The current snapshot. */
  readonly get = (): BackendRecord => this.#record;

  /** Calls `listener` after each change. Returns an unsubscribe function. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Records a request and returns its number. */
  request(about: Omit<ReceivedRequest, 'n' | 'reply'>): number {
    const n = this.#record.requests.length + 1;
    this.#change({ requests: [...this.#record.requests, { ...about, n, reply: 'open' }] });
    return n;
  }

  /** Records how the reply to request `n` ended. Only the first call counts. */
  reply(n: number, reply: ReceivedRequest['reply']): void {
    const requests = this.#record.requests.map((r) => (r.n === n && r.reply === 'open' ? { ...r, reply } : r));
    this.#change({ requests });
  }

  /** Records a prompt. It is copied at once, because the caller may change it later. */
  modelCall(request: number, prompt: unknown): void {
    const copy = JSON.parse(JSON.stringify(prompt)) as PromptMessage[];
    const n = this.#record.modelCalls.length + 1;
    this.#change({ modelCalls: [...this.#record.modelCalls, { n, request, prompt: copy }] });
  }

  /** Records that a tool starts. Returns a function that records how it ended. */
  toolRun(
    about: Pick<ToolRun, 'toolCallId' | 'toolName' | 'input'>,
  ): (result: 'ok' | 'error', detail: string, files: Files) => void {
    const n = this.#record.toolRuns.length + 1;
    this.#change({ toolRuns: [...this.#record.toolRuns, { ...about, n, result: 'running', detail: '' }] });
    return (result, detail, files) => {
      const toolRuns = this.#record.toolRuns.map((run) => (run.n === n ? { ...run, result, detail } : run));
      this.#change({ toolRuns, files });
    };
  }

  #change(part: Partial<BackendRecord>): void {
    this.#record = { ...this.#record, ...part };
    for (const listener of this.#listeners) listener();
  }
}
