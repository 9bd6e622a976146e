/**
 * Faults between a page and its backend, for the scenarios that need them. `handler.ts` injects them when a request
 * arrives and when its reply is sent.
 */
import type { UIMessageChunk } from 'ai';
import { sleep } from './model';

/**
 * - `unreachable`: the request never arrives; the client's fetch rejects.
 * - `nothing`: the request arrives and gets a valid but empty reply; nothing runs.
 * - `lost-reply`: the request is executed, but the client's fetch rejects.
 * - `slow-reply`: the request is executed; the reply begins so late that the client can disconnect first.
 * - `cut-reply`: the request is executed; the connection is cut after the first tool output.
 */
export type Fault = 'unreachable' | 'nothing' | 'lost-reply' | 'slow-reply' | 'cut-reply';

/** Which requests a fault affects. */
export interface FaultPlan {
  fault: Fault;
  /** `decisions`: requests that carry approval responses. `any`: every request. */
  on: 'decisions' | 'any';
  /** How many of those requests it affects, from the first. */
  times: number;
}

/** The delay of a slow reply if the client does not disconnect, in milliseconds. */
const SLOW_MS = 15_000;

/**
 * How long the connection stays open after the last chunk, in milliseconds. A busy browser needs that time: it loses a
 * chunk that it has not read when the connection is cut.
 */
const LAST_CHUNK_MS = 700;

/** Returns a function that must be called once for each request, in the order of arrival, and returns its fault. */
export function faultSequence(plan: FaultPlan | undefined): (request: { decisions: number }) => Fault | undefined {
  let left = plan?.times ?? 0;
  return ({ decisions }) => {
    if (!plan || left === 0 || (plan.on === 'decisions' && decisions === 0)) return undefined;
    left -= 1;
    return plan.fault;
  };
}

/** The error with which a browser's fetch rejects when the network fails. */
export function networkError(): TypeError {
  return new TypeError('Failed to fetch');
}

/** Resolves when the client has disconnected, or after the delay. */
export function slowness(client: AbortSignal): Promise<void> {
  return sleep(SLOW_MS, client).catch(() => undefined);
}

/** The reply up to its first tool output, and then a failure of the connection. */
export function cutBehindOutput(reply: ReadableStream<UIMessageChunk>): ReadableStream<UIMessageChunk> {
  const reader = reply.getReader();
  let isLast = false;
  return new ReadableStream<UIMessageChunk>(
    {
      async pull(controller) {
        if (isLast) {
          await sleep(LAST_CHUNK_MS);
          return controller.error(networkError());
        }
        const { done, value } = await reader.read();
        if (done) return controller.close();
        isLast = value.type === 'tool-output-available';
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
