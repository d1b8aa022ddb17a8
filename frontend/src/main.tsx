import './theme/theme.css';
import './i18n/i18n.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('No element to render into');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
