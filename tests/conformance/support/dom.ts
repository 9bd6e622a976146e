/** A DOM in Node, for clients that are hooks of React. */
import { Window } from 'happy-dom';
import type { ReactElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

/** Gives Node the globals that React DOM reads, once. */
function openWindow(): Document {
  if (typeof window === 'undefined') {
    const opened = new Window({ url: 'http://localhost/' });
    const globals = { window: opened, document: opened.document, navigator: opened.navigator };
    for (const [name, value] of Object.entries(globals))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return document;
}

/** Renders an element, at once. Returns a function that removes it. */
export function mount(element: ReactElement): () => void {
  const root = createRoot(openWindow().createElement('div'));
  flushSync(() => root.render(element));
  return () => root.unmount();
}
