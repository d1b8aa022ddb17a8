import './theme/theme.css';
import { start } from './app/start.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('No element to render into');
void start(root);
