import './theme/theme.css';
import { App } from './app/app.tsx';
import { router } from './app/router.ts';
import { start } from './app/start.tsx';
import { loadTexts } from './i18n/i18n.ts';

const root = document.getElementById('root')!;
if (import.meta.env.DEV && window.location.pathname === '/design') {
  void import('./app/design/design-page.tsx').then(({ showDesign }) => showDesign(root));
} else {
  void start(root, async ({ prerendered }) => {
    // Without it, the router wraps the page differently from the server, and React would replace all nodes.
    if (prerendered) router.ssr = { manifest: undefined };
    await loadTexts('pages');
    await router.load();
    return <App />;
  });
}
