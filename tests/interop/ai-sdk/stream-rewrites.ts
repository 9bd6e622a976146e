/**
 * Applies our intended differences to a stream: removes the chunks that Toolgate ignores on purpose, and gives repeated
 * call ids a number. It implements the documented rules independently of our code.
 */
import type { Chunk } from './peers';

/** Whether a chunk names a text, call or approval that no earlier chunk has begun. */
export function isStray(chunk: Chunk, before: readonly Chunk[]): boolean {
  const since = before.slice(before.findLastIndex(({ type }) => type === 'reset-step') + 1);
  const [kind, event] = chunk.type.split('-');
  if ((kind === 'text' || kind === 'reasoning') && event !== 'start') {
    const same = since.filter(({ type, id }) => id === chunk['id'] && type.startsWith(`${kind}-`));
    return same.length === 0 || same.at(-1)!.type === `${kind}-end`;
  }
  const isCall = ({ type }: Chunk): boolean => type.startsWith('tool-input-') && type !== 'tool-input-delta';
  if (chunk.type === 'tool-approval-response') {
    return !before.some(
      ({ type, approvalId }) => type === 'tool-approval-request' && approvalId === chunk['approvalId'],
    );
  }
  if (!/^tool-(input-delta|approval-request|output-)/.test(chunk.type)) return false;
  return !before.some((other) => isCall(other) && other['toolCallId'] === chunk['toolCallId']);
}

/** Omits the chunks for which `drop` returns true. The second argument of `drop` is the list of earlier chunks. */
export const without =
  (drop: (chunk: Chunk, before: readonly Chunk[]) => boolean) =>
  (chunks: readonly Chunk[], earlier: readonly Chunk[]): readonly Chunk[] =>
    chunks.filter((chunk, index) => !drop(chunk, [...earlier, ...chunks.slice(0, index)]));

/** The chunks of `before` with the call id of `chunk`. */
export const ofCall = (chunk: Chunk, before: readonly Chunk[]): Chunk[] =>
  before.filter(({ toolCallId }) => toolCallId !== undefined && toolCallId === chunk['toolCallId']);

/** Whether a chunk settles its call. */
export const settles = ({ type, preliminary }: Chunk): boolean =>
  (type === 'tool-output-available' && preliminary !== true) ||
  type === 'tool-output-error' ||
  type === 'tool-output-denied' ||
  type === 'tool-input-error';

const CALLS_OWN = /~\d+$/;

/** Gives a call a unique id if an earlier call with its id has another complete input. `originalIds` undoes this. */
export function withOwnId(chunk: Chunk, before: readonly Chunk[]): Chunk {
  if (chunk['toolCallId'] === undefined) return chunk;
  const inputs = [...ofCall(chunk, before), chunk].filter(({ type }) => type === 'tool-input-available');
  const others = new Set(inputs.map(({ input }) => JSON.stringify(input))).size - 1;
  return others > 0 ? { ...chunk, toolCallId: `${chunk['toolCallId']}~${others}` } : chunk;
}

/** Restores the original ids in the result of a stream that `withOwnId` rewrote. */
export const originalIds = <T>(read: T): T =>
  JSON.parse(JSON.stringify(read), (key, value: unknown) =>
    key === 'toolCallId' ? String(value).replace(CALLS_OWN, '') : value,
  ) as T;
