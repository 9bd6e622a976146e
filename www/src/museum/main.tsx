/** The bug museum's page. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../styles/index.css';
import '../styles/museum.css';
import { Museum } from './museum';

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <Museum />
  </StrictMode>,
);
