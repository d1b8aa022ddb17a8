import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { detectLanguage } from '#i18n/choose-language.ts';
import { startTexts } from '#i18n/i18n.ts';
import { configQuery } from '#lib/config.ts';
import { readPageData } from '#lib/page-data.ts';
import { queryClient } from '#lib/query-client.ts';
import { installServiceWorker } from '#lib/service-worker.ts';
import { App } from './app.tsx';
import { router } from './router.ts';

/**
 * Takes over the page that the gateway sent. One that has its content is hydrated, in the language
 * it came in; a skeleton stays until what replaces it is ready.
 */
export async function start(root: HTMLElement): Promise<void> {
  const data = readPageData();
  if (data) queryClient.setQueryData(configQuery.queryKey, data.config);
  const prerendered = data?.path === window.location.pathname;
  await startTexts(data && prerendered ? data.language : detectLanguage());

  // Without it the router wraps the page differently from the server, and all nodes are made anew.
  if (prerendered) router.ssr = { manifest: undefined };
  await router.load();
  const app = (
    <StrictMode>
      <App />
    </StrictMode>
  );
  // In pieces: a telephone's processor answers to taps in between.
  startTransition(() => {
    if (prerendered) hydrateRoot(root, app);
    else createRoot(root).render(app);
  });
  if (data?.service_worker) installServiceWorker();
}
