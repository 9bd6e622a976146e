/** The demo page in React: creates the `Chat` and renders the app. */
import { Chat } from '@ai-sdk/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import type { ChatMessage } from './session/message-types';
import { start } from './session/start';
import './styles/index.css';

await start({
  makeChat: (options) => new Chat<ChatMessage>(options),
  hasSettings: true,
  render: (root, open) => {
    createRoot(root).render(
      <StrictMode>
        <App open={open} />
      </StrictMode>,
    );
  },
});
