import './theme/theme.css';
import { sayThatCodeIsMissing } from './app/missing-code.ts';
import { start } from './app/start.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('No element to render into');
if (import.meta.env.DEV && window.location.pathname === '/design') {
  void import('./app/design/design-page.tsx').then(({ showDesign }) => showDesign(root));
} else {
  start(root).catch(() => sayThatCodeIsMissing(root));
}
