/**
 * A network between pages and a server: requests arrive late, twice or never, replies are lost or cut off. Each arrival
 * is an event of the simulated browser.
 */
import type { BrowserPage } from '../persist/explore/browser.js';
import type { Random } from './random.js';

/** Adds an event to a queue of the browser. */
export type Post = (queue: string, page: BrowserPage | undefined, label: string, call: () => void) => void;

/** The parameters of a network. */
export interface NetworkOptions {
  readonly post: Post;
  readonly random: Random;
  readonly isHostile: () => boolean;
  /** Whether a request may arrive twice. */
  readonly doubles: boolean;
  /**
   * The replies that a page can reconnect to: none, those that are being written, or the last one. Only the page that
   * requested the last reply, or a page with that page's restored state, can reconnect to it. A page that loads a
   * complete history gets no stream.
   */
  readonly reconnects: 'none' | 'active' | 'last';
  /** Whether a new page is restored to the state of the previous page. */
  readonly isPersisted: boolean;
  readonly serve: (request: Request) => Promise<Response>;
  readonly onActivity: () => void;
}

/**
 * `lost`: the request does not arrive. `refused`: a proxy refuses it. `unanswered`: it arrives, but its reply does not.
 * `cut`, `truncated`: the reply ends in the middle, with or without an error.
 */
type Fault = 'lost' | 'refused' | 'unanswered' | 'cut' | 'truncated';

/** A reply as the server writes it. */
interface Reply {
  readonly page: BrowserPage;
  readonly status: number;
  readonly headers: Headers;
  readonly frames: Uint8Array<ArrayBuffer>[];
  isDone: boolean;
  /** Called for each frame, and at the end without one. */
  readonly readers: Set<(frame: Uint8Array<ArrayBuffer> | undefined) => void>;
}

/** The network. */
export class Network {
  /** The number of faults of each kind. */
  readonly counts: Record<Fault | 'doubled' | 'reconnected', number> = {
    ...{ lost: 0, refused: 0, unanswered: 0, cut: 0, truncated: 0 },
    ...{ doubled: 0, reconnected: 0 },
  };
  /** Requests in flight, and replies that are being written. */
  open = 0;
  readonly #options: NetworkOptions;
  #number = 0;
  #last: Reply | undefined;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  /** The `fetch` function of a page. */
  fetchOf(page: BrowserPage): typeof fetch {
    return (input, init = {}) => {
      const request = { url: String(input), init };
      return init.method === 'GET' || init.method === undefined
        ? this.#reconnect(page, init)
        : this.#send(page, request);
    };
  }

  #send(page: BrowserPage, { url, init }: { url: string; init: RequestInit }): Promise<Response> {
    const { post, random, isHostile, doubles } = this.#options;
    const name = `request ${++this.#number}`;
    const isBad = isHostile();
    const fault: Fault | undefined = isBad
      ? random.weighted([
          [14, undefined],
          [1, 'lost'],
          [1, 'refused'],
          [1, 'unanswered'],
          [2, 'cut'],
          [1, 'truncated'],
        ] as const)
      : undefined;
    const isDoubled = isBad && doubles && random.chance(0.15);
    const after = random.below(12);
    if (fault) this.counts[fault]++;
    // Each arrival gets its own `Request`, because a body can be read only once.
    const request = (): Request =>
      new Request(new URL(url, 'http://soak.test'), { method: 'POST', headers: init.headers!, body: init.body! });
    const arrive = (): Promise<Reply> => this.#begin(page, request());
    return new Promise((resolve, reject) => {
      const signal = init.signal ?? undefined;
      const fail = (): void => reject(new TypeError('Failed to fetch'));
      const stop = (): void => reject(signal!.reason as Error);
      if (signal?.aborted) return stop();
      signal?.addEventListener('abort', stop);
      const hear = (label: string, call: () => void): void =>
        post(`${page.id} ${name}`, page, `${page.id}: ${label} ${name}`, call);
      if (fault === 'lost') return hear('cannot send', fail);
      if (fault === 'refused') {
        return hear('gets status 502 for', () => resolve(new Response('bad gateway', { status: 502 })));
      }
      this.open++;
      post(name, undefined, `the server gets ${name} of ${page.id}${fault ? ` (${fault})` : ''}`, () => {
        void arrive().then((reply) => {
          this.#last = reply;
          if (fault === 'unanswered') return hear('gets no reply to', fail);
          const limit = fault === 'cut' || fault === 'truncated' ? after : Infinity;
          hear('gets the reply to', () =>
            resolve(this.#respond(reply, { hear, signal, limit, isCut: fault === 'cut' })),
          );
        });
        if (!isDoubled) return;
        this.counts.doubled++;
        this.open++;
        post(`${name} again`, undefined, `the server gets ${name} again`, () => void arrive());
      });
    });
  }

  #reconnect(page: BrowserPage, { signal }: RequestInit): Promise<Response> {
    const { post, reconnects, isHostile, isPersisted, random } = this.#options;
    const name = `reconnection ${++this.#number}`;
    const isLost = isHostile() && random.chance(0.15);
    return new Promise((resolve, reject) => {
      const hear = (label: string, call: () => void): void =>
        post(`${page.id} ${name}`, page, `${page.id}: ${label} ${name}`, call);
      if (signal?.aborted) return reject(signal.reason as Error);
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      this.open++;
      post(name, undefined, `the server gets ${name} of ${page.id}`, () => {
        const last = reconnects === 'none' ? undefined : this.#last;
        const mayBeDone = reconnects === 'last' && (isPersisted || last?.page === page);
        const reply = last?.isDone && !mayBeDone ? undefined : last;
        if (isLost) return hear('loses', () => reject(new TypeError('Failed to fetch')));
        if (!reply || reply.status !== 200)
          return hear('finds no reply by', () => resolve(new Response(null, { status: 204 })));
        this.counts.reconnected++;
        hear('reconnects by', () =>
          resolve(this.#respond(reply, { hear, signal: signal ?? undefined, limit: Infinity, isCut: false })),
        );
      });
    });
  }

  /** The server begins to reply. The reply is read while the server writes it, even if the page is closed. */
  async #begin(page: BrowserPage, request: Request): Promise<Reply> {
    const { serve, onActivity } = this.#options;
    onActivity();
    const response = await serve(request);
    onActivity();
    const reply: Reply = {
      page,
      status: response.status,
      headers: response.headers,
      frames: [],
      isDone: false,
      readers: new Set(),
    };
    void this.#read(reply, response.body!.getReader() as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>);
    return reply;
  }

  async #read(reply: Reply, reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>): Promise<void> {
    const { onActivity } = this.#options;
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      onActivity();
      if (value) reply.frames.push(value);
      reply.isDone = done;
      if (done) this.open--;
      for (const hear of reply.readers) hear(value);
      if (done) return;
    }
  }

  /** The reply that a page reads, frame by frame. */
  #respond(
    reply: Reply,
    {
      hear,
      signal,
      limit,
      isCut,
    }: {
      hear: (label: string, call: () => void) => void;
      signal: AbortSignal | undefined;
      limit: number;
      isCut: boolean;
    },
  ): Response {
    let isOver = false;
    let frames = 0;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const end = (act: () => void): void => {
          if (isOver) return;
          isOver = true;
          reply.readers.delete(take);
          act();
        };
        const take = (frame: Uint8Array<ArrayBuffer> | undefined): void => {
          if (isOver || frames > limit) return;
          if (frames++ === limit) {
            if (isCut)
              hear('loses the connection in the reply to', () =>
                end(() => controller.error(new TypeError('network error'))),
              );
            else hear('sees a premature end of the reply to', () => end(() => controller.close()));
          } else if (frame === undefined) hear('reads the end of the reply to', () => end(() => controller.close()));
          else hear('reads from the reply to', () => isOver || controller.enqueue(frame));
        };
        signal?.addEventListener('abort', () => end(() => controller.error(signal.reason)));
        for (const frame of reply.frames) take(frame);
        if (reply.isDone) take(undefined);
        else reply.readers.add(take);
      },
      cancel: () => {
        isOver = true;
      },
    });
    return new Response(body, { status: reply.status, headers: reply.headers });
  }
}
