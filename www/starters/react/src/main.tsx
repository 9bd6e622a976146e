import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Chat } from './Chat';
import './style.css';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Chat />
  </StrictMode>,
);
