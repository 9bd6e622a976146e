/** `respondOnce`: the first request with a key runs, and repeated ones get its reply. */
import {
  type ApprovalRecord,
  MemoryRecord,
  resolveApprovals,
  respondOnce,
  type RespondOnceOptions,
  type RunContext,
} from 'toolgate/server';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { historyOf, type Call } from '../../seeds/resolve-backends';
import { ClockedStore, RepeatingStore } from './clocked-store.js';

const REQUEST = { user: 'ann', key: 'key' };
const LEASE_MS = 1000;

let store: ClockedStore;
let runs: number;
beforeEach(() => {
  store = new ClockedStore();
  runs = 0;
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Posts a request with the key `key`, which runs `reply` if it is the first. */
function post(reply: () => Response | Promise<Response>, options: RespondOnceOptions = {}): Promise<Response> {
  const run = (): Response | Promise<Response> => (runs++, reply());
  return respondOnce(store, REQUEST, run, { leaseMs: LEASE_MS, waitMs: 0, ...options });
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
  for (const [user, key] of [
    ['bob', 'key'],
    ['ann', 'other'],
    ['ann key', 'key'],
    ['ann', 'key key'],
  ] as const) {
    const response = await respondOnce(store, { user, key }, () => new Response('other'));
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

test('bytes that are not text are repeated as they were', async () => {
  const bytes = gzipSync('compressed');
  const headers = { 'content-encoding': 'gzip', 'content-length': String(bytes.length) };
  await finished(() => new Response(bytes, { headers }));
  const again = await post(never);
  expect([again.headers.get('content-length'), Buffer.from(await again.arrayBuffer())]).toEqual([
    String(bytes.length),
    bytes,
  ]);
});

describe('a failure', () => {
  const failures: [string, () => Response | Promise<Response>][] = [
    ['503', () => new Response('no model', { status: 503 })],
    ['429', () => new Response('too many', { status: 429 })],
    ['401', () => new Response('log in', { status: 401 })],
    ['an error of run', () => Promise.reject(new Error('no model'))],
    [
      'a reply that breaks off',
      () => new Response(new ReadableStream({ start: (body) => body.error(new Error('cut')) })),
    ],
  ];
  const call: Call = { id: 'call_1', name: 'remove', input: {}, approved: true };
  const requested = { approvalId: 'appr_1', toolCallId: 'call_1', toolName: 'remove', input: {} };

  /** Posts a request that fails after `before`, waits for the end of its work, and moves the clock. */
  async function failed(
    fail: () => Response | Promise<Response>,
    before: (context: RunContext<ApprovalRecord | undefined>) => unknown,
    options: RespondOnceOptions = {},
  ): Promise<void> {
    let work: Promise<unknown> | undefined;
    const run = async (context: RunContext<ApprovalRecord | undefined>): Promise<Response> => (
      await before(context),
      fail()
    );
    const given = { leaseMs: LEASE_MS, waitMs: 0, ...options, waitUntil: (one: Promise<unknown>) => void (work = one) };
    await respondOnce(store, REQUEST, run, given).then(
      (response) => response.text().catch(() => undefined),
      () => undefined,
    );
    await work;
    store.now += 1;
  }

  describe.each(failures)('%s', (name, fail) => {
    test('before anything has begun releases the key, and the next request runs', async () => {
      await failed(fail, ({ begun }) => typeof begun);
      const again = await finished(() => new Response('ran'));
      expect([await again.text(), runs]).toEqual(['ran', 1]);
      expect(await (await post(never)).text()).toBe('ran');
    });

    test('after a call has begun in the record is an unknown outcome, and nothing runs again', async () => {
      const record = new MemoryRecord();
      record.request(requested);
      let ran = 0;
      const resolve = ({ record: noted }: RunContext<ApprovalRecord | undefined>): Promise<unknown> =>
        resolveApprovals(historyOf('UI messages', [call]), { toolkit: { remove: () => ++ran }, record: noted });
      await failed(fail, resolve, { record });
      // A refusal is the same for a repeated request.
      expect([ran, (await post(never)).status]).toEqual([1, name === '401' ? 401 : 410]);
    });

    test('after only denials were recorded releases the key', async () => {
      const record = new MemoryRecord();
      record.request(requested);
      const denied = historyOf('UI messages', [{ ...call, approved: false }]);
      await failed(fail, ({ record: noted }) => resolveApprovals(denied, { record: noted }), { record });
      expect(await (await post(() => new Response('ran'))).text()).toBe('ran');
    });

    test('of a run that does not say what begins keeps the key', async () => {
      let work: Promise<unknown> | undefined;
      await post(fail, { waitUntil: (given) => void (work = given) }).catch(() => undefined);
      await work;
      store.now += 1;
      expect((await post(never)).status).toBe(name === '401' ? 401 : 410);
    });
  });

  test('of the first request lets one of the waiting ones run, and the others get its reply', async () => {
    let fail!: () => void;
    const failing = new Promise<Response>((_, reject) => (fail = () => reject(new Error('no model'))));
    let first!: Promise<Response>;
    await new Promise<void>((begins) => {
      const run = (): Promise<Response> => (begins(), failing);
      first = respondOnce(store, REQUEST, (_context) => run(), { leaseMs: LEASE_MS });
      first.catch(() => undefined);
    });
    const waiting = Array.from({ length: 5 }, () => post(() => new Response(`run ${runs}`), { waitMs: 60_000 }));
    fail();
    await expect(first).rejects.toThrow('no model');
    store.now += 1;
    const replies = await Promise.all(waiting);
    expect(await Promise.all(replies.map((reply) => reply.text()))).toEqual(Array(5).fill('run 1'));
    expect(runs).toBe(1);
  });
});

test('many repeated requests that wait look at the store together, and less and less often', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { response, end } = written();
  let work: Promise<unknown> | undefined;
  await post(() => response, { waitUntil: (given) => void (work = given) });
  let reads = 0;
  const get = store.get.bind(store);
  store.get = (key) => (reads++, get(key));
  const waiting = Array.from({ length: 200 }, () => post(never, { waitMs: 60_000 }));
  // Each tries to store the claim, and reads it twice, then the lease and the reply.
  while (reads < 1000) await new Promise((resolve) => setImmediate(resolve));
  reads = 0;
  await vi.advanceTimersByTimeAsync(20_000);
  // Two reads for each look: the first after 250 ms, the last ones every 2 seconds.
  expect(reads).toBeGreaterThan(20);
  expect(reads).toBeLessThan(40);
  end();
  await work;
  await vi.advanceTimersByTimeAsync(3000);
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(200).fill(200));
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
  const invalid = (name: string): string => `respondOnce: invalid \`${name}\`. Expected a non-empty string.`;
  for (const key of ['', null, undefined, 5])
    await expect(respondOnce(store, { user: 'ann', key } as never, never)).rejects.toThrow(invalid('key'));
  for (const request of [{ key: 'key' }, ['ann', 'key'], undefined])
    await expect(respondOnce(store, request as never, never)).rejects.toThrow(invalid('user'));
  for (const option of ['ttlMs', 'replyTtlMs', 'leaseMs'])
    await expect(post(never, { [option]: 0 })).rejects.toThrow(`respondOnce: invalid option \`${option}\``);
  await expect(post(never, { waitMs: Number.NaN })).rejects.toThrow('respondOnce: invalid option `waitMs`');
  await expect(post(never, { ttl: 5 } as never)).rejects.toThrow(/unknown option `ttl`/);
});
