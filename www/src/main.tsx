/** Starts the page: loads Toolgate, reads the address, renders. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { init } from 'toolgate';
import { App } from './app';
import './styles/index.css';

/** `?pace=instant` makes the scripted model write at once; the browser tests use it. */
const PACES = { natural: { word: 28, tool: 700 }, instant: { word: 0, tool: 0 } } as const;

const root = document.getElementById('root')!;
const query = new URLSearchParams(location.search);
// The Node server writes its address here; the static page says `embedded`.
const backend = document.querySelector<HTMLMetaElement>('meta[name="toolgate-backend"]')?.content ?? 'embedded';

try {
  await init();
  const settings = { backend, pace: PACES[query.get('pace') === 'instant' ? 'instant' : 'natural'] };
  createRoot(root).render(
    <StrictMode>
      <App scenario={query.get('scenario')} settings={settings} />
    </StrictMode>,
  );
} catch (error) {
  root.textContent = `The page could not start: ${error instanceof Error ? error.message : String(error)}`;
}
