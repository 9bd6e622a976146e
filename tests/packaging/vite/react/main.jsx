import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Questions } from '../scenario/Questions.jsx';

createRoot(document.getElementById('app')).render(
  <StrictMode>
    <Questions />
  </StrictMode>,
);
