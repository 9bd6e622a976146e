/**
 * Runs the code of a backend's page in docs/backends/ word for word: its file src/chat.ts, with the files of
 * docs/backends.md that it imports, and the built package. `fetch` and `WebSocket` reach a server of the test where the
 * page names its own.
 */
import type { ToolGate } from 'toolgate';
import { onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { appOf } from '../../docs/support/blocks.js';
import { run } from '../../docs/support/run.js';

/** The addresses that a page names, or how they begin, and what takes their place. */
export type Addresses = Readonly<Record<string, string>>;

/** Runs a file of a page. `modules` replaces packages, by name. Resolves to the exports. */
export function runFile(page: string, file: string, modules?: Record<string, object>): ReturnType<typeof run> {
  if (!(file in appOf(`docs/${page}.md`))) throw new Error(`docs/${page}.md has no file ${file}`);
  return run(page, `export * from '../${file.replace(/\.tsx?$/, '')}';`, {}, [], modules);
}

/** Opens a backend's page. Returns the gate that it exports. The page is closed when the test has finished. */
export async function openPage(
  page: string,
  addresses: Addresses,
  modules?: Record<string, object>,
): Promise<ToolGate> {
  reach(page, addresses);
  return (await runFile(page, 'src/chat.ts', modules))['gate'] as ToolGate;
}

/** Until the test has finished, `fetch` and `WebSocket` reach these addresses only. */
export function reach(page: string, addresses: Addresses): void {
  const own = globalThis.fetch;
  const sockets: WebSocket[] = [];
  const closed = new AbortController();
  const to = (url: string): string => {
    const from = Object.keys(addresses).find((start) => url.startsWith(start));
    if (from !== undefined) return addresses[from] + url.slice(from.length);
    if (/^https?:\/\/127\.0\.0\.1:/.test(url)) return url; // a rig asks its own server
    throw new Error(`docs/${page}.md asks ${url}, where nothing answers`);
  };
  vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) =>
    input instanceof Request
      ? own(new Request(to(input.url), input), init)
      : own(to(String(input)), {
          ...init,
          signal: AbortSignal.any([closed.signal, ...(init?.signal ? [init.signal] : [])]),
        }),
  );
  vi.stubGlobal(
    'WebSocket',
    class extends WebSocket {
      constructor(url: string) {
        super(to(url));
        sockets.push(this);
      }
    },
  );
  onTestFinished(() => {
    closed.abort();
    for (const socket of sockets) socket.terminate();
    vi.unstubAllGlobals();
  });
}
