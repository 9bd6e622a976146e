/** Starts the page: loads Toolgate, reads the address, opens the first chat, renders. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { init } from 'toolgate';
import { App } from './app';
import { scenarioById } from './scenarios/index';
import type { SessionSettings } from './session/connection';
import { openSession } from './session/session';
import './styles/index.css';

const root = document.getElementById('root')!;
const query = new URLSearchParams(location.search);
// The Node server writes its address here; the static page says `embedded`.
const backend = document.querySelector<HTMLMetaElement>('meta[name="toolgate-backend"]')?.content ?? 'embedded';
// `?pace=instant` makes the scripted model write at once; the browser tests use it.
const settings: SessionSettings = { backend, pace: query.get('pace') === 'instant' ? 'instant' : 'natural' };

try {
  await init();
  const first = await openSession(scenarioById(query.get('scenario'), backend !== 'embedded'), settings);
  createRoot(root).render(
    <StrictMode>
      <App first={first} settings={settings} />
    </StrictMode>,
  );
} catch (error) {
  root.textContent = `The page could not start: ${error instanceof Error ? error.message : String(error)}`;
}
