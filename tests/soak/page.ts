/**
 * A page with a chat: either a guarded AI SDK chat, persisted or not, or a persisted gate whose requests the app sends
 * as in docs/backends.md. Gate, guard and persister are the real ones.
 */
import { Chat as Chat7 } from '@ai-sdk/react';
import { DefaultChatTransport as Transport7 } from 'ai';
import { Chat as Chat6 } from 'ai-sdk-react6';
import { DefaultChatTransport as Transport6 } from 'ai6';

import { gateOf, guard } from '../../src/ts/ai-sdk/index.js';
import { internalsOf } from '../../src/ts/gate/internals.js';
import { Persister } from '../../src/ts/persist/persister.js';
import type { FencedStorage } from '../../src/ts/persist/storage/fenced-storage.js';
import type { Platform } from '../../src/ts/persist/tabs/platform.js';
import { ToolGate } from '../../src/ts/gate/tool-gate.js';
import type { OnDeny, OnUserMessage, Outgoing, PendingApproval } from '../../src/ts/types/index.js';
import type { BrowserPage } from '../persist/explore/browser.js';

/** Time limits of leader and storage, in ms of the simulated browser. */
export const LEADER_MS = 1_000;
export const STORE_MS = 5_000;

/** The name under which the chat is stored. */
export const NAME = 'chat';

/** The methods of the AI SDK's chat that the soak uses. */
interface AppChat {
  sendMessage(message?: object, options?: object): Promise<void>;
  regenerate(options?: object): Promise<void>;
  stop(): Promise<void>;
  resumeStream(): Promise<void>;
  addToolApprovalResponse(answer: { id: string; approved: boolean }): Promise<void>;
  addToolOutput(answer: object): Promise<void>;
  readonly error: Error | undefined;
  readonly status: string;
}

/** A page. */
export interface Page extends BrowserPage {
  readonly gate: ToolGate;
  readonly chat: AppChat | undefined;
  readonly persister: Persister | undefined;
  /** The errors that were reported to the page. */
  readonly errors: unknown[];
  /** The approvals that the page has shown, newest last. A late click may decide an old one. */
  readonly shown: PendingApproval[];
  /** Aborts the requests of a page whose app sends the items. */
  readonly stop: () => void;
}

/** The configuration of a chat. */
export interface PageOptions {
  readonly kind: 'gate' | 'guard';
  readonly isPersisted: boolean;
  readonly version: 6 | 7;
  readonly onDeny: OnDeny;
  readonly onUserMessage: OnUserMessage;
  readonly approvalTimeoutMs: number | undefined;
}

/** What a page gets from outside: its id, the functions of its browser, and the server's history. */
export interface Surroundings {
  readonly id: string;
  readonly now: () => number;
  readonly fetch: typeof fetch;
  /** The server's history of the chat, for a chat that is not persisted. */
  readonly history: readonly object[];
  readonly platform: (page: Page) => Platform;
  readonly storage: (page: Page, platform: Platform, holdsLock: () => Promise<boolean>) => FencedStorage;
}

/** Loads the page. */
export function loadPage(options: PageOptions, { id, now, fetch, history, platform, storage }: Surroundings): Page {
  const { kind, isPersisted, version, onDeny, onUserMessage, approvalTimeoutMs } = options;
  let ids = 0;
  const generateId = (): string => `${id}-${++ids}`;
  const errors: unknown[] = [];
  const settings = {
    now,
    onDeny,
    onUserMessage,
    browserTools: ['pick'],
    ...(approvalTimeoutMs !== undefined && { approvalTimeoutMs }),
  };
  const page = { id, errors, shown: [], listeners: new Map(), isGone: false, isFrozen: false } as unknown as {
    -readonly [K in keyof Page]: Page[K];
  };
  let chat: AppChat | undefined;
  if (kind === 'guard') {
    const Chat = (version === 7 ? Chat7 : Chat6) as unknown as new (options: object) => object;
    const Transport = (version === 7 ? Transport7 : Transport6) as unknown as new (options: object) => object;
    const made = new Chat({
      id: 'chat',
      messages: structuredClone(history),
      generateId,
      transport: new Transport({ api: 'http://soak.test/chat', fetch }),
      onError: (error: Error) => errors.push(error),
    });
    chat = guard(made as never, { gate: settings }) as unknown as AppChat;
  }
  page.chat = chat;
  page.gate = chat ? gateOf(chat) : new ToolGate({ chatId: 'chat', generateId, ...settings });
  page.stop = () => {};
  if (!chat) {
    const controllers = new Set<AbortController>();
    page.stop = () => controllers.forEach((controller) => controller.abort());
    page.gate.subscribe(() => void page.gate.deliver((item) => send(page.gate, item, fetch, controllers)));
  }
  if (isPersisted) {
    const internals = internalsOf(page.gate)!;
    const browser = platform(page);
    page.persister = new Persister({
      gate: page.gate,
      internals,
      name: NAME,
      platform: browser,
      storeMs: STORE_MS,
      leaderMs: LEADER_MS,
      storage: (holdsLock) => storage(page, browser, holdsLock),
      onError: (error) => errors.push(error),
      onStop: page.stop,
    });
    internals.persister = page.persister;
    void page.persister.start();
  }
  return page;
}

/** Sends an outgoing item and reads its reply, as in docs/backends.md. */
async function send(
  gate: ToolGate,
  item: Outgoing,
  fetch: typeof globalThis.fetch,
  controllers: Set<AbortController>,
): Promise<void> {
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream', 'idempotency-key': item.key };
  const controller = new AbortController();
  controllers.add(controller);
  const about = { requestId: item.id, attempt: item.attempt };
  try {
    const body = JSON.stringify(item.body);
    const response = await fetch('http://soak.test/chat', { method: 'POST', headers, body, signal: controller.signal });
    if (!response.ok) throw new Error(`the server replied with status ${response.status}`);
    gate.markSent(item.id);
    try {
      for await (const event of eventsOf(response)) gate.receive(event, about);
      gate.streamEnded({ status: 'finished' }, about);
    } catch (error) {
      gate.streamEnded({ status: controller.signal.aborted ? 'aborted' : 'disconnected', error: String(error) }, about);
    }
  } finally {
    controllers.delete(controller);
  }
}

async function* eventsOf(response: Response): AsyncGenerator<unknown> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ;) {
    const { done, value = '' } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop()!;
    for (const block of blocks) {
      const data = [...block.matchAll(/^(?:data|error): ?(.*)$/gm)].map(([, line]) => line).join('\n');
      if (data && data !== '[DONE]') yield JSON.parse(data);
    }
  }
}
