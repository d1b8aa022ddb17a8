import './theme/theme.css';
import { LandingApp } from './app/landing-app.tsx';
import { start } from './app/start.tsx';

// The entry of the landing page as the gateway sends it, which most visitors see first: it loads no router,
// and its links load the next page. The development server uses main.tsx for every page.
void start(document.getElementById('root')!, async () => <LandingApp />);
