/**
 * `runClock`: one timer for the next deadline, none while nothing can expire.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runClock, ToolGate } from 'toolgate';

const NOON = Date.UTC(2026, 0, 1, 12);

beforeEach(() => void vi.useFakeTimers({ now: NOON }));
afterEach(() => void vi.useRealTimers());

/** A gate of which only the deadlines are there. */
class Deadlines {
  readonly ticks: number[] = [];
  #due: readonly number[] = [];
  readonly #listeners = new Set<() => void>();

  set(...due: number[]): void {
    this.#due = due;
    this.change();
  }

  change(): void {
    for (const listener of this.#listeners) listener();
  }

  nextDeadline(): number | null {
    return this.#due[0] ?? null;
  }

  tick(now: number): void {
    this.ticks.push(now);
    const left = this.#due.filter(due => due > now);
    if (left.length < this.#due.length) this.set(...left);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }
}

it('tells the time at each deadline, and has no timer while there is none', () => {
  const gate = new Deadlines();
  const stop = runClock(gate);
  expect(vi.getTimerCount()).toBe(0);
  gate.set(NOON + 50, NOON + 80);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(49);
  expect(gate.ticks).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(gate.ticks).toEqual([NOON + 50]);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(100);
  expect(gate.ticks).toEqual([NOON + 50, NOON + 80]);
  expect(vi.getTimerCount()).toBe(0);
  stop();
});

it('a deadline that is moved or withdrawn is not waited for', () => {
  const gate = new Deadlines();
  gate.set(NOON + 50);
  const stop = runClock(gate);
  gate.set(NOON + 200);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(100);
  expect(gate.ticks).toEqual([]);
  gate.set();
  expect(vi.getTimerCount()).toBe(0);
  gate.set(NOON + 300);
  vi.advanceTimersByTime(200);
  expect(gate.ticks).toEqual([NOON + 300]);
  stop();
});

it('a deadline that has passed is told at once', () => {
  const gate = new Deadlines();
  gate.set(NOON - 1);
  const stop = runClock(gate);
  vi.advanceTimersByTime(0);
  expect(gate.ticks).toEqual([NOON]);
  stop();
});

it('a deadline that telling the time does not end is told once, however often the gate changes', () => {
  const gate = new Deadlines();
  gate.tick = now => void gate.ticks.push(now);
  gate.set(NOON + 10);
  const stop = runClock(gate);
  vi.advanceTimersByTime(1_000);
  gate.change();
  vi.advanceTimersByTime(1_000);
  expect(gate.ticks).toEqual([NOON + 10]);
  expect(vi.getTimerCount()).toBe(0);
  stop();
});

it('waits for what is further away than a timer can be', () => {
  const gate = new Deadlines();
  const far = NOON + 2 ** 31 + 2 ** 31 + 5;
  gate.set(far);
  const stop = runClock(gate);
  vi.advanceTimersByTime(2 ** 31);
  expect(gate.ticks).toEqual([]);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(2 ** 31 + 4);
  expect(gate.ticks).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(gate.ticks).toEqual([far]);
  stop();
});

it('stops', () => {
  const gate = new Deadlines();
  gate.set(NOON + 50);
  const stop = runClock(gate);
  stop();
  expect(vi.getTimerCount()).toBe(0);
  expect(gate.isWatched).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(gate.ticks).toEqual([]);
});

it('keeps no process alive', () => {
  vi.useRealTimers();
  const gate = new Deadlines();
  gate.set(Date.now() + 100_000);
  let ref: boolean | undefined;
  const real = globalThis.setTimeout;
  vi.stubGlobal('setTimeout', ((...args: Parameters<typeof setTimeout>) => {
    const timer = real(...args);
    queueMicrotask(() => (ref = timer.hasRef()));
    return timer;
  }) as typeof setTimeout);
  const stop = runClock(gate);
  vi.unstubAllGlobals();
  return Promise.resolve().then(() => {
    expect(ref).toBe(false);
    stop();
  });
});

it('takes a gate', async () => {
  const { initFromFile } = await import('../ai-sdk/support/init.js');
  await initFromFile();
  const stop = runClock(new ToolGate());
  expect(vi.getTimerCount()).toBe(0);
  stop();
});
