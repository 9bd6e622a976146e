/** Handwritten replies: chunks, between which the user may act. */
import type { Chunk } from '../interop/ai-sdk/peers';

/** A handwritten reply: chunks, and functions that perform the user's actions between them. */
export type Script = readonly (Chunk | (() => Promise<void>))[];

/** Describes a handwritten reply, in which the user may act between two chunks. */
export function contentOf(script: Script, n: number): string {
  const chunks = script.flatMap((item) => (typeof item === 'function' ? [] : [item.type]));
  const content = chunks.filter((type) => !['start', 'start-step', 'finish-step', 'finish'].includes(type));
  return `the reply to request ${n} ${content.length === 0 ? 'is empty' : `has ${[...new Set(content)].join(', ')}`}`;
}

/** A stream of fixed chunks; a function among them is called and awaited before the next chunk. */
export function streamOf<T extends object>(script: readonly (T | (() => Promise<void>))[]): ReadableStream<T> {
  let next = 0;
  return new ReadableStream<T>(
    {
      async pull(controller) {
        while (next < script.length) {
          const item = script[next++]!;
          if (typeof item !== 'function') return controller.enqueue(item);
          await item();
        }
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
