/**
 * A tool that waits for the browser: what ends the wait (a result, a rejection, a timeout, a signal, `close`), and the
 * error for each invalid answer.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';

import {
  errorResult,
  DelegateError,
  ToolDelegate,
  ToolRejectedError,
  ToolTimeoutError,
  type DelegateErrorCode,
} from 'toolgate/server';

const frame = (data: object): object => ({ type: 'tool_result', data });

/** The code of the thrown error. */
function codeOf(act: () => unknown): DelegateErrorCode {
  try {
    act();
  } catch (error) {
    if (error instanceof DelegateError) return error.code;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const codeOfLate = (wait: Promise<unknown>): Promise<unknown> => wait.catch((error: DelegateError) => error.code);

afterEach(() => void vi.useRealTimers());

describe('waiting for a permission', () => {
  const yes = frame({ toolCallId: 'c1', approved: true, status: 'approved' });

  test('an approval without data resolves the wait, whether the call was announced or awaited before', async () => {
    const delegate = new ToolDelegate();
    const wait = delegate.wait('c1', { permission: true });
    delegate.receive(yes);
    expect(await wait).toBe(true);
    expect(codeOf(() => delegate.receive(yes))).toBe('already-answered');
    const early = new ToolDelegate();
    early.expect('c1', { permission: true });
    early.receive(yes);
    expect(await early.wait('c1')).toBe(true);
    const between = new ToolDelegate();
    between.expect('c1', { permission: true });
    const late = between.wait('c1');
    between.receive(yes);
    expect(await late).toBe(true);
  });

  const denial = { success: false, error: 'User denied permission', denied: true };

  /** All other answers: denials, and invalid answers, which throw while the call continues to wait. */
  test.each<[object, 'denied' | DelegateErrorCode]>([
    [{ approved: false }, 'denied'],
    [{ approved: false, status: 'approved' }, 'denied'],
    [{ approved: false, result: true }, 'denied'],
    [{ status: 'rejected' }, 'denied'],
    [{ status: 'denied' }, 'denied'],
    [{ status: 'DENIED', result: 1 }, 'denied'],
    [{ status: 'Rejected', approved: true }, 'denied'],
    [{}, 'missing-result'],
    [{ result: null }, 'missing-result'],
    [{ status: 'approved' }, 'missing-result'],
    [{ approved: true, result: null }, 'missing-result'],
    [{ result: true }, 'malformed-answer'],
    [{ result: false }, 'malformed-answer'],
    [{ result: 0 }, 'malformed-answer'],
    [{ result: '' }, 'malformed-answer'],
    [{ result: { approved: true } }, 'malformed-answer'],
    [{ result: denial }, 'malformed-answer'],
    [{ result: { success: true }, status: 'approved' }, 'malformed-answer'],
    [{ isApproved: false, result: 1 }, 'malformed-answer'],
    [{ isApproved: true, result: 1 }, 'malformed-answer'],
    [{ approved: true, result: false }, 'malformed-answer'],
    [{ approved: true, result: true }, 'malformed-answer'],
    [{ approved: true, result: denial }, 'malformed-answer'],
    [{ approved: true, status: 'cancelled' }, 'malformed-answer'],
    [{ approved: true, status: 0 }, 'malformed-answer'],
    [{ approved: 'true' }, 'malformed-answer'],
    [{ approved: 1 }, 'malformed-answer'],
    [{ approved: {} }, 'malformed-answer'],
    [{ approved: null, result: true }, 'malformed-answer'],
  ])('%j does not approve: %s', async (data, expected) => {
    const announce = (delegate: ToolDelegate): void => delegate.expect('c1', { permission: true });
    for (const before of [() => {}, announce]) {
      const delegate = new ToolDelegate();
      before(delegate);
      let ran = false;
      const wait = delegate.wait('c1', { permission: true }).then(
        () => (ran = true),
        (error: unknown) => error,
      );
      const answer = (): unknown => delegate.receive(frame({ toolCallId: 'c1', ...data }));
      if (expected === 'denied') answer();
      else {
        expect(codeOf(answer)).toBe(expected);
        expect(delegate.waiting).toEqual(['c1']);
        delegate.reject('c1');
      }
      expect(await wait).toBeInstanceOf(ToolRejectedError);
      expect(ran).toBe(false);
    }
  });

  test.each([true, false, 0, 'data', { success: true }])(
    'a result %j for a call that was announced without `permission` gives no permission to a later wait',
    async (result) => {
      for (const approved of [undefined, true]) {
        const delegate = new ToolDelegate();
        delegate.expect('c1');
        delegate.receive(frame({ toolCallId: 'c1', approved, result }));
        expect(await codeOfLate(delegate.wait('c1', { permission: true }))).toBe('malformed-answer');
        expect(await codeOfLate(delegate.wait('c1', { permission: true }))).toBe('already-answered');
      }
    },
  );

  test('resolve() gives a permission only with true', async () => {
    const delegate = new ToolDelegate();
    const wait = delegate.wait('c1', { permission: true });
    for (const result of [false, undefined, 'true', 1, {}]) {
      expect(codeOf(() => delegate.resolve('c1', result))).toBe('malformed-answer');
    }
    delegate.resolve('c1', true);
    expect(await wait).toBe(true);
    const early = new ToolDelegate();
    early.expect('c1');
    early.resolve('c1', true);
    expect(await early.wait('c1', { permission: true })).toBe(true);
  });

  test('unknown options throw: with a misspelt `permission`, the wait would accept any result', async () => {
    expect(() => new ToolDelegate({ timeout: 5 } as never)).toThrow('ToolDelegate: unknown option `timeout`');
    const delegate = new ToolDelegate();
    expect(() => delegate.expect('c1', { permision: true } as never)).toThrow(TypeError);
    await expect(delegate.wait('c1', { permision: true } as never)).rejects.toThrow(TypeError);
    for (const permission of ['true', 1, null]) {
      expect(() => delegate.expect('c1', { permission } as never)).toThrow(TypeError);
      await expect(delegate.wait('c1', { permission } as never)).rejects.toThrow(TypeError);
    }
    expect(delegate.waiting).toEqual([]);
  });

  test('wait() can require a permission for an announced call', async () => {
    const delegate = new ToolDelegate();
    delegate.expect('c1');
    const wait = delegate.wait('c1', { permission: true });
    delegate.receive(frame({ toolCallId: 'c1', approved: true }));
    expect(await wait).toBe(true);
  });
});

describe('what ends a wait', () => {
  test('a result', async () => {
    const delegate = new ToolDelegate();
    const wait = delegate.wait('c1');
    expect(delegate.waiting).toEqual(['c1']);
    delegate.resolve('c1', { ok: true });
    expect(await wait).toEqual({ ok: true });
    expect(delegate.waiting).toEqual([]);
  });

  test('a rejection, with and without a reason', async () => {
    const delegate = new ToolDelegate();
    const waits = [delegate.wait('c1'), delegate.wait('c2')];
    delegate.reject('c1', 'Too dangerous');
    delegate.reject('c2');
    const [first, second] = await Promise.all(waits.map((wait) => wait.catch((error: unknown) => error)));
    expect(first).toBeInstanceOf(ToolRejectedError);
    expect(first).toMatchObject({ name: 'ToolRejectedError', toolCallId: 'c1', reason: 'Too dangerous' });
    expect(second).toMatchObject({ toolCallId: 'c2', reason: undefined });
  });

  test('a timeout of the delegate, or of the call', async () => {
    vi.useFakeTimers();
    const delegate = new ToolDelegate({ timeoutMs: 1000 });
    const ended: unknown[] = [];
    void delegate.wait('c1').catch((error: unknown) => ended.push(error));
    void delegate.wait('c2', { timeoutMs: 20 }).catch((error: unknown) => ended.push(error));
    void delegate.wait('c3', { timeoutMs: Infinity }).then((result) => ended.push(result));
    await vi.advanceTimersByTimeAsync(999);
    expect(ended).toMatchObject([{ toolCallId: 'c2', timeoutMs: 20 }]);
    await vi.advanceTimersByTimeAsync(1e9);
    expect(ended[1]).toBeInstanceOf(ToolTimeoutError);
    expect(delegate.waiting).toEqual(['c3']);
    delegate.resolve('c3', 'at last');
    await vi.runAllTimersAsync();
    expect(ended[2]).toBe('at last');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('an aborted signal ends a wait with the reason of the abort, also if the abort came first', async () => {
    const delegate = new ToolDelegate();
    const controller = new AbortController();
    const wait = delegate.wait('c1', { signal: controller.signal });
    controller.abort(new Error('stopped'));
    await expect(wait).rejects.toThrow('stopped');
    await expect(delegate.wait('c2', { signal: controller.signal })).rejects.toThrow('stopped');
    expect(codeOf(() => delegate.resolve('c1', 1))).toBe('too-late');
    expect(codeOf(() => delegate.resolve('c2', 1))).toBe('too-late');
  });

  test('close() ends all current and later waits', async () => {
    const delegate = new ToolDelegate();
    const wait = codeOfLate(delegate.wait('c1'));
    delegate.close('the socket closed');
    expect(await wait).toBe('closed');
    expect(await codeOfLate(delegate.wait('c2'))).toBe('closed');
    expect(codeOf(() => delegate.resolve('c1', 1))).toBe('closed');
  });
});

describe('the WebSocket frame', () => {
  test('a result resolves, with or without `approved`', async () => {
    const delegate = new ToolDelegate();
    const waits = [delegate.wait('c1'), delegate.wait('c2')];
    expect(delegate.receive(frame({ toolCallId: 'c1', approved: true, status: 'approved', result: { n: 1 } }))).toBe(
      true,
    );
    expect(delegate.receive(JSON.stringify(frame({ toolCallId: 'c2', result: 0 })))).toBe(true);
    expect(await Promise.all(waits)).toEqual([{ n: 1 }, 0]);
  });

  test.each([
    { approved: false },
    { approved: false, result: { success: true } },
    { approved: false, status: 'approved', result: { success: false, denied: true } },
    { status: 'rejected', result: { success: true } },
    { approved: true, status: 'denied', result: { success: true } },
  ])('%j rejects and never resolves', async (data) => {
    const delegate = new ToolDelegate();
    const wait = delegate.wait('c1').then(
      () => 'resolved',
      (error: unknown) => error,
    );
    delegate.receive(frame({ toolCallId: 'c1', reason: 'User denied permission', ...data }));
    expect(await wait).toMatchObject({ name: 'ToolRejectedError', reason: 'User denied permission' });
  });

  test.each([{ approved: true }, { approved: true, result: null }, {}])(
    '%j has no result: the call continues to wait',
    async (data) => {
      const delegate = new ToolDelegate();
      const wait = delegate.wait('c1');
      expect(codeOf(() => delegate.receive(frame({ toolCallId: 'c1', ...data })))).toBe('missing-result');
      expect(delegate.waiting).toEqual(['c1']);
      delegate.receive(frame({ toolCallId: 'c1', approved: true, result: 'data' }));
      expect(await wait).toBe('data');
    },
  );

  test.each([
    [{ approved: true, result: 1 }],
    [{ toolCallId: '', result: 1 }],
    [{ toolCallId: 7, result: 1 }],
    [undefined],
    [null],
    ['c1'],
  ])('data %j without a valid call id is refused', (data) => {
    expect(codeOf(() => new ToolDelegate().receive(frame(data as object)))).toBe('missing-call-id');
  });

  test.each(['false', 'true', 1, 0, null, {}])('approved: %j is neither an approval nor a rejection', (approved) => {
    const delegate = new ToolDelegate();
    void delegate.wait('c1').catch(() => {});
    expect(codeOf(() => delegate.receive(frame({ toolCallId: 'c1', approved, result: 1 })))).toBe('malformed-answer');
    expect(delegate.waiting).toEqual(['c1']);
  });

  test('other frames return false, and invalid JSON throws', () => {
    const delegate = new ToolDelegate();
    for (const other of [{ type: 'ping' }, null, undefined, 5, 'null', '{"type":"message"}'])
      expect(delegate.receive(other)).toBe(false);
    expect(codeOf(() => delegate.receive('{'))).toBe('malformed-answer');
  });
});

describe('invalid answers', () => {
  test('an unknown call', () => {
    const delegate = new ToolDelegate();
    expect(codeOf(() => delegate.resolve('c1', 1))).toBe('unknown-call');
    expect(codeOf(() => delegate.reject('constructor'))).toBe('unknown-call');
    expect(codeOf(() => delegate.receive(frame({ toolCallId: '__proto__', result: 1 })))).toBe('unknown-call');
  });

  test('a second answer, the same or another', async () => {
    const delegate = new ToolDelegate();
    const wait = delegate.wait('c1').catch((error: unknown) => error);
    delegate.reject('c1');
    // A result frame that some clients send after a rejection.
    const output = frame({ toolCallId: 'c1', approved: true, result: { success: false, denied: true } });
    expect(codeOf(() => delegate.receive(output))).toBe('already-answered');
    expect(codeOf(() => delegate.reject('c1'))).toBe('already-answered');
    expect(await wait).toBeInstanceOf(ToolRejectedError);
  });

  test('an answer after the timeout', async () => {
    vi.useFakeTimers();
    const delegate = new ToolDelegate({ timeoutMs: 5 });
    const wait = delegate.wait('c1').catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(5);
    expect(await wait).toBeInstanceOf(ToolTimeoutError);
    expect(codeOf(() => delegate.resolve('c1', 1))).toBe('too-late');
  });

  test('a call can be awaited once', async () => {
    const delegate = new ToolDelegate();
    const wait = delegate.wait('c1');
    expect(await codeOfLate(delegate.wait('c1'))).toBe('already-waiting');
    delegate.resolve('c1', 1);
    expect(await wait).toBe(1);
    expect(await codeOfLate(delegate.wait('c1'))).toBe('already-answered');
    expect(await codeOfLate(delegate.wait(''))).toBe('missing-call-id');
  });
});

describe('answers before wait()', () => {
  test('are stored for an announced call, once', async () => {
    const delegate = new ToolDelegate();
    for (const id of ['c1', 'c2', '__proto__']) delegate.expect(id);
    delegate.resolve('c1', 'early');
    delegate.reject('c2', 'no');
    delegate.resolve('__proto__', 'odd');
    expect(codeOf(() => delegate.resolve('c1', 'again'))).toBe('already-answered');
    delegate.expect('c1');
    expect(await delegate.wait('c1')).toBe('early');
    expect(await delegate.wait('__proto__')).toBe('odd');
    await expect(delegate.wait('c2')).rejects.toMatchObject({ reason: 'no' });
    expect(await codeOfLate(delegate.wait('c1'))).toBe('already-answered');
  });

  test('an announced call without an answer waits', async () => {
    const delegate = new ToolDelegate();
    delegate.expect('c1');
    const wait = delegate.wait('c1');
    delegate.resolve('c1', 1);
    expect(await wait).toBe(1);
  });

  test('the number of stored announced and ended calls is limited', () => {
    const delegate = new ToolDelegate({ limit: 2 });
    for (const id of ['c1', 'c2', 'c3']) delegate.expect(id);
    expect(codeOf(() => delegate.resolve('c1', 1))).toBe('unknown-call');
    delegate.resolve('c2', 2);
    delegate.resolve('c3', 3);
    for (const id of ['c4', 'c5']) {
      delegate.expect(id);
      delegate.reject(id);
    }
    expect(codeOf(() => delegate.resolve('c2', 2))).toBe('unknown-call');
  });
});

describe('results for the model', () => {
  test('a rejection and a timeout become error results, other errors are thrown', async () => {
    const delegate = new ToolDelegate();
    const told = ['c1', 'c2', 'c3'].map((id) => delegate.ask(id));
    delegate.reject('c1', 'Too dangerous');
    delegate.reject('c2');
    delegate.resolve('c3', { success: true });
    expect(await Promise.all(told)).toEqual([
      { success: false, error: 'Too dangerous', denied: true },
      { success: false, error: 'User denied permission', denied: true },
      { success: true },
    ]);
    expect(errorResult(new ToolTimeoutError('c1', 5))).toMatchObject({ success: false, timedOut: true });
    const closed = delegate.ask('c4');
    delegate.close();
    await expect(closed).rejects.toThrow('closed');
  });

  test('invalid options throw', async () => {
    for (const timeoutMs of [0, -1, NaN, '5' as never]) {
      expect(() => new ToolDelegate({ timeoutMs })).toThrow(TypeError);
      await expect(new ToolDelegate().wait('c1', { timeoutMs })).rejects.toThrow(TypeError);
    }
    for (const limit of [0, 1.5, NaN]) expect(() => new ToolDelegate({ limit })).toThrow(TypeError);
  });
});
