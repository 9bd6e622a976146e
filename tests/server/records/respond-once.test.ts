/** `respondOnce`: the first request with a key runs, and repeated ones get its reply. */
import { respondOnce, type RespondOnceOptions } from 'toolgate/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { ClockedStore, RepeatingStore } from './clocked-store.js';

const NAMES = ['ann', 'key'];
const LEASE_MS = 1000;

let store: ClockedStore;
let runs: number;
beforeEach(() => {
  store = new ClockedStore();
  runs = 0;
});
afterEach(() => void vi.useRealTimers());

/** Posts a request with the key `key`, which runs `reply` if it is the first. */
function post(reply: () => Response | Promise<Response>, options: RespondOnceOptions = {}): Promise<Response> {
  const run = (): Response | Promise<Response> => (runs++, reply());
  return respondOnce(store, NAMES, run, { leaseMs: LEASE_MS, waitMs: 0, ...options });
}

/** Waits until the work after the response has ended. */
async function finished(reply: () => Response, options: RespondOnceOptions = {}): Promise<Response> {
  let work: Promise<unknown> | undefined;
  const response = await post(reply, { ...options, waitUntil: (given) => void (work = given) });
  await work;
  return response;
}

const never = (): Response => {
  throw new Error('a repeated request must not run');
};

/** A body that the test writes. */
function written(): { response: Response; write: (text: string) => void; end: (error?: Error) => void } {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  return {
    response: new Response(body),
    write: (text) => controller.enqueue(new TextEncoder().encode(text)),
    end: (error) => (error ? controller.error(error) : controller.close()),
  };
}

test('a repeated request gets the status, the headers and the body of the first', async () => {
  const headers: [string, string][] = [
    ['content-type', 'text/event-stream'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ];
  const first = await finished(() => new Response('data: ü\n\n', { status: 201, headers }));
  const again = await post(never);
  for (const response of [first, again]) {
    expect([response.status, [...response.headers], await response.text()]).toEqual([201, headers, 'data: ü\n\n']);
  }
  expect(runs).toBe(1);
});

test('a reply without a body is repeated too', async () => {
  await finished(() => new Response(null, { status: 204 }));
  expect((await post(never)).status).toBe(204);
});

test('other names have their own reply', async () => {
  await finished(() => new Response('Ann'));
  for (const names of [['bob', 'key'], ['ann', 'other'], ['ann key'], ['ann', 'key', 'more']]) {
    const response = await respondOnce(store, names, () => new Response('other'));
    expect(await response.text()).toBe('other');
  }
});

test('while the first request runs, a repeated one waits for its reply', async () => {
  const { response, write, end } = written();
  const first = await post(() => response);
  const again = post(never, { waitMs: Infinity });
  write('one, ');
  const reader = first.body!.getReader();
  // The first client gets the body while it is written.
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('one, ');
  write('two');
  end();
  expect(await (await again).text()).toBe('one, two');
});

test('while the first request runs, a repeated one that does not wait gets 409', async () => {
  const { response } = written();
  await post(() => response);
  const again = await post(never);
  expect([again.status, again.headers.get('retry-after')]).toEqual([409, '1']);
  expect(await again.text()).toBe('The first request with this idempotency key is still running.');
});

test('the reply is stored also if the client has gone', async () => {
  const { response, write, end } = written();
  let work: Promise<unknown> | undefined;
  const first = await post(() => response, { waitUntil: (given) => void (work = given) });
  // Of a stream that is read twice, `cancel` resolves when both readers have cancelled.
  void first.body!.cancel();
  write('all of it');
  end();
  await work;
  expect(await (await post(never)).text()).toBe('all of it');
});

test('a request that runs longer than its lease renews it; when its process has ended, a repeated one gets 410', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { response } = written();
  await post(() => response);
  for (let lease = 0; lease < 5; lease++) {
    store.now += LEASE_MS / 2;
    await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
    store.now += LEASE_MS / 2 - 1;
    expect((await post(never)).status).toBe(409);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
  }
  vi.clearAllTimers(); // the process was killed
  store.now += LEASE_MS;
  const again = await post(never, { waitMs: Infinity });
  expect(again.status).toBe(410);
  expect(await again.text()).toBe(
    'A request with this idempotency key was started before, and its reply is not stored.',
  );
  expect(runs).toBe(1);
});

test('repeated requests do not extend the lease of a request that has ended', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await post(() => written().response);
  vi.clearAllTimers();
  store.now += LEASE_MS - 1;
  expect((await post(never)).status).toBe(409);
  store.now += 1;
  expect((await post(never)).status).toBe(410);
});

test('if run throws, so does respondOnce, and the key stays used', async () => {
  const error = new Error('no model');
  await expect(post(() => Promise.reject(error))).rejects.toBe(error);
  store.now += 1;
  expect((await post(never)).status).toBe(410);
});

test('a response whose body is locked counts as an error of run', async () => {
  const locked = new Response('body');
  locked.body!.getReader();
  await expect(post(() => locked)).rejects.toThrow(TypeError);
  store.now += 1;
  expect((await post(never)).status).toBe(410);
});

test('a reply that breaks off or cannot be stored is reported, and a repeated request gets 410', async () => {
  const errors: unknown[] = [];
  const { response, end } = written();
  let work: Promise<unknown> | undefined;
  const options = { onError: (error: unknown) => void errors.push(error) };
  await post(() => response, { ...options, waitUntil: (given) => void (work = given) });
  const error = new Error('broken off');
  end(error);
  await work;
  expect(errors).toEqual([error]);
  store.now += 1;
  expect((await post(never)).status).toBe(410);

  store = new ClockedStore();
  const full = new Error('disk full');
  const put = store.put.bind(store);
  store.put = (key, value, ttlMs) => (value.startsWith('{') ? Promise.reject(full) : put(key, value, ttlMs));
  expect(await (await finished(() => new Response('sent'), options)).text()).toBe('sent');
  expect(errors).toEqual([error, full]);
  store.now += 1;
  expect((await post(never)).status).toBe(410);
});

test('a reply is stored for ten minutes, and its key for 30 days', async () => {
  await finished(() => new Response('hello'));
  store.now = 600_000 - 1;
  expect(await (await post(never)).text()).toBe('hello');
  store.now = 600_000;
  expect((await post(never)).status).toBe(410);
  store.now = 30 * 86_400_000 - 1;
  expect((await post(never)).status).toBe(410);
});

test('a store that fails rejects before the request runs', async () => {
  const down = new Error('connection refused');
  store.insert = () => Promise.reject(down);
  await expect(post(never)).rejects.toBe(down);
});

test('a request is the first one also if the client has repeated the insert', async () => {
  store = new RepeatingStore();
  expect(await (await finished(() => new Response('ran'))).text()).toBe('ran');
  expect(await (await post(never)).text()).toBe('ran');
});

test('invalid names and options throw, and nothing runs', async () => {
  for (const names of [['ann', null], [], [''], 'ann key']) {
    await expect(respondOnce(store, names as never, never)).rejects.toThrow(
      'respondOnce: invalid `names`. Expected an array of non-empty strings.',
    );
  }
  for (const option of ['ttlMs', 'replyTtlMs', 'leaseMs'])
    await expect(post(never, { [option]: 0 })).rejects.toThrow(`respondOnce: invalid option \`${option}\``);
  await expect(post(never, { waitMs: Number.NaN })).rejects.toThrow('respondOnce: invalid option `waitMs`');
  await expect(post(never, { ttl: 5 } as never)).rejects.toThrow(/unknown option `ttl`/);
});
