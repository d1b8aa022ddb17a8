import { PAGE_DATA_ID, type PageData } from '@proveklar/contract/page.ts';
import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { detectLanguage } from '#i18n/choose-language.ts';
import { startTexts } from '#i18n/i18n.ts';
import { configQuery } from '#lib/config.ts';
import { queryClient } from '#lib/query-client.ts';
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

/** What the gateway sent along with the page; undefined under the development server. */
function readPageData(): PageData | undefined {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent;
  return text ? (JSON.parse(text) as PageData) : undefined;
}

const WORKER = '/sw.js';

/**
 * Installs the worker that has a page for being offline, once there is nothing better to do: it is
 * for a later visit. A browser that refuses it (private windows do) is as well off as before.
 */
function installServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const install = () =>
    void navigator.serviceWorker.register(WORKER, { updateViaCache: 'none' }).catch(() => {});
  const whenIdle = () =>
    'requestIdleCallback' in window ? requestIdleCallback(install) : setTimeout(install, 2_000);
  if (document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle, { once: true });
}
