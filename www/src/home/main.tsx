/** The first page. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../styles/index.css';
import '../styles/museum.css';
import '../styles/home.css';
import { Home } from './home';

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <Home />
  </StrictMode>,
);
