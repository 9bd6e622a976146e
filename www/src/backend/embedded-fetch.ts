/**
 * The network of the embedded backend: a `fetch` that passes a real `Request` to the handler in the same page and
 * returns its real `Response`. The conversation is encoded as JSON, and the reply as a server-sent event stream, so the
 * backend gets exactly what it would get over HTTP, and the page reads exactly what it would read over HTTP.
 */
import type { Backend } from './handler';

/** Returns a `fetch` for `DefaultChatTransport` that reaches only `backend`. */
export function embeddedFetch(backend: Backend): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.addEventListener('abort', () => backend.stop(), { once: true });
    const response = await raceAbort(backend.handle(request), request.signal);
    return response.body ? new Response(abortable(response.body, request.signal), response) : response;
  };
}

/** Like `fetch`, rejects as soon as the signal aborts. */
function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** A body that fails when the request is aborted, as a response body does. */
function abortable(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const pipe = new TransformStream<Uint8Array, Uint8Array>();
  body.pipeTo(pipe.writable, { signal }).catch(() => undefined); // the reader sees the same failure
  return pipe.readable;
}
