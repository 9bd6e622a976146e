/**
 * What can go wrong between a page and its backend, for the scenarios that need it.
 * A fault is injected around the handler's work, so everything behind it is what a healthy backend does.
 */
import type { UIMessageChunk } from 'ai';
import { sleep } from './model';

/**
 * - `unreachable`: the request never arrives; the client's fetch rejects.
 * - `nothing`: the request arrives and gets a well-formed reply without any content; nothing runs.
 * - `lost-reply`: the request arrives and is carried out, but the client's fetch rejects.
 * - `slow-reply`: the request arrives and is carried out; the reply begins so late that one can leave meanwhile.
 * - `cut-reply`: the request arrives and is carried out; the connection is cut behind the first tool output.
 */
export type Fault = 'unreachable' | 'nothing' | 'lost-reply' | 'slow-reply' | 'cut-reply';

/** Which fault happens to which request. */
export interface FaultPlan {
  fault: Fault;
  /** `decisions`: requests that carry approval responses. `any`: every request. */
  on: 'decisions' | 'any';
  /** How many of those requests it happens to, from the first. */
  times: number;
}

/** How long a slow reply keeps a client waiting that does not leave, in milliseconds. */
const SLOW_MS = 15_000;

/**
 * How long the connection stays open behind the last chunk before the cut, in milliseconds: that chunk is to be read, and
 * what a busy browser has not read by then is lost with the connection.
 */
const LAST_CHUNK_MS = 700;

/** Returns a function that tells the fault for each request, in the order of their arrival. */
export function faultSequence(plan: FaultPlan | undefined): (request: { decisions: number }) => Fault | undefined {
  let left = plan?.times ?? 0;
  return ({ decisions }) => {
    if (!plan || left === 0 || (plan.on === 'decisions' && decisions === 0)) return undefined;
    left -= 1;
    return plan.fault;
  };
}

/** What a browser's fetch rejects with when the network fails. */
export function networkError(): TypeError {
  return new TypeError('Failed to fetch');
}

/** Resolves when the client has left, or has waited long enough. */
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
