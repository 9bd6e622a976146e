/**
 * The page that shows a rig's gate. A scenario can close the page and open it again, as a reload does: the rig keeps
 * its gate, which then stands for the gate of the new page. While the page is closed, events that the rig passes to the
 * gate are lost.
 */
import { ToolGate, type ToolGateOptions } from 'toolgate';

/** A page with one gate. */
export interface Page {
  /** Aborted when the page is cut off: the end of its requests over HTTP. */
  readonly signal: AbortSignal;
  /** Ends the requests of a closed page, as a browser does. */
  cut(): void;
  /** Closes the page. What it still sends, it sends at once; what it would receive is lost. */
  close(): void;
  /** Opens the page again with the gate as it was saved last, or with an empty one. */
  open(from: 'saved' | 'empty'): void;
}

/** The methods that do nothing while the page is closed. */
const HOST: ReadonlySet<PropertyKey> = new Set(['receive', 'streamEnded', 'markSent', 'markFailed', 'load']);

const pages = new WeakMap<ToolGate, Page>();

/** The page of a gate that `inPage` returned. */
export function pageOf(gate: ToolGate): Page {
  const page = pages.get(gate);
  if (!page) throw new Error('this gate was not made with `gateFor`');
  return page;
}

/** The signal of a gate's page, for its requests. */
export const signalOf = (gate: ToolGate): Partial<Pick<Page, 'signal'>> =>
  pages.has(gate) ? { signal: pageOf(gate).signal } : {};

/** Returns a gate that stands for `first`, and for the gate of the same page after each reload. */
export function inPage(first: ToolGate, options: ToolGateOptions): ToolGate {
  let [current, isClosed, connection] = [first, false, new AbortController()];
  const listeners: ['subscribe' | 'onEvent', () => void][] = [];
  const gate = new Proxy(first, {
    get(_, name) {
      const value: unknown = Reflect.get(current, name, current);
      if (typeof value !== 'function') return value;
      return (...args: never[]): unknown => {
        if (isClosed && HOST.has(name)) return undefined;
        if (name === 'subscribe' || name === 'onEvent') listeners.push([name, args[0]!]);
        return (value as (...given: never[]) => unknown).apply(current, args);
      };
    },
  });
  pages.set(gate, {
    get signal() {
      return connection.signal;
    },
    cut: () => connection.abort(),
    close() {
      isClosed = true;
    },
    open(from) {
      isClosed = false;
      connection = new AbortController();
      const saved = JSON.stringify(current);
      current = from === 'saved' ? ToolGate.restore(JSON.parse(saved), options) : new ToolGate(options);
      for (const [name, listener] of listeners) current[name](listener);
    },
  });
  return gate;
}
