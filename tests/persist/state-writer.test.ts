/**
 * When a writer writes: urgent changes at once, changes of a reply with pauses, one write at a time, and finally always
 * the last state.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { browserPlatform } from '../../src/ts/persist/tabs/platform.js';
import { StateWriter } from '../../src/ts/persist/leader/state-writer.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A writer of a number, whose writes end when the test ends them. */
function saver(isSync = false) {
  const written: number[] = [];
  const ends: { over: () => void; fail: (error: Error) => void }[] = [];
  const [saved, errors]: [number[], unknown[]] = [[], []];
  const state = { value: 0, broken: undefined as Error | undefined };
  const subject = new StateWriter<number>({
    platform: browserPlatform(),
    capture: () => {
      if (state.broken) throw state.broken;
      return state.value;
    },
    write: (value) => {
      written.push(value);
      return isSync ? Promise.resolve() : new Promise<void>((over, fail) => ends.push({ over, fail }));
    },
    onSaved: (value) => saved.push(value),
    onError: (error) => errors.push(error),
  });
  const change = (value: number, isUrgent = false): void => {
    state.value = value;
    subject.changed(isUrgent);
  };
  return { subject, change, state, written, ends, saved, errors };
}

const turn = (): Promise<void> => vi.advanceTimersByTimeAsync(0).then(() => {});

it('urgent changes of one task share one write', async () => {
  const { change, written } = saver(true);
  change(1, true);
  change(2, true);
  change(3);
  expect(written).toEqual([]);
  await turn();
  expect(written).toEqual([3]);
  expect(vi.getTimerCount()).toBe(0);
});

it('changes of a reply are written with pauses', async () => {
  const { change, written } = saver(true);
  for (let value = 1; value <= 100; value++) {
    change(value);
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(written.length).toBeGreaterThan(2);
  expect(written.length).toBeLessThan(6);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(written.at(-1)).toBe(100);
  expect(vi.getTimerCount()).toBe(0);
});

it('writes do not overlap; an urgent change waits only for the current write', async () => {
  const { change, written, ends, saved } = saver();
  change(1, true);
  await turn();
  change(2);
  change(3, true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(written).toEqual([1]);
  ends[0]?.over();
  await turn();
  expect(written).toEqual([1, 3]);
  expect(saved).toEqual([1]);
  ends[1]?.over();
  await turn();
  expect(saved).toEqual([1, 3]);
});

it('saved waits for a write that began after the call', async () => {
  const { subject, change, written, ends } = saver();
  await subject.saved();
  change(1, true);
  await turn();
  change(2);
  let isSaved = false;
  const saved = subject.saved().then(() => (isSaved = true));
  ends[0]?.over();
  await turn();
  expect([written, isSaved]).toEqual([[1, 2], false]);
  ends[1]?.over();
  await saved;
  await subject.saved();
  expect(written).toEqual([1, 2]);
});

it('a failed write is reported, and repeated with the next change or the next call of saved', async () => {
  const { subject, change, state, written, ends, errors } = saver();
  change(1, true);
  await turn();
  const first = subject.saved();
  ends[0]?.fail(new Error('full'));
  await expect(first).rejects.toThrow('full');
  expect(errors).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(written).toEqual([1]);
  const second = subject.saved();
  expect(written).toEqual([1, 1]);
  ends[1]?.over();
  await second;
  state.broken = new Error('a function');
  change(2, true);
  await expect(subject.saved()).rejects.toThrow('a function');
  state.broken = undefined;
  change(3, true);
  const third = subject.saved();
  ends[2]?.over();
  await third;
  expect(written).toEqual([1, 1, 3]);
});

it('flush starts to write new changes at once, even during another write', async () => {
  const { subject, change, written, ends, saved } = saver();
  change(1, true);
  subject.flush();
  expect(written).toEqual([1]);
  subject.flush();
  change(2);
  subject.flush();
  expect(written).toEqual([1, 2]);
  ends[1]?.over();
  await turn();
  change(3);
  const last = subject.saved();
  await turn();
  expect(written).toEqual([1, 2]);
  ends[0]?.over();
  await turn();
  expect(written).toEqual([1, 2, 3]);
  ends[2]?.over();
  await last;
  expect(saved).toEqual([2, 1, 3]);
});

it('after stop nothing is written, and saved does not hang', async () => {
  const { subject, change, written } = saver();
  change(1);
  subject.stop();
  subject.flush();
  change(2, true);
  await expect(subject.saved()).rejects.toThrow('closed');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(written).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
