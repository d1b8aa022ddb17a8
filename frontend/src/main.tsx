import './theme/theme.css';
import { sayThatCodeIsMissing } from './app/missing-code.ts';
import { start } from './app/start.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('No element to render into');
start(root).catch(() => sayThatCodeIsMissing(root));
