import { PAGE_DATA_ID, type PageData } from '@proveklar/contract/page.ts';
import { type ReactNode, startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { landingQuery } from '#features/landing/landing-facts.ts';
import { detectLanguage } from '#i18n/choose-language.ts';
import { startTexts } from '#i18n/i18n.ts';
import { configQuery } from '#lib/config.ts';
import { ApiError } from '#lib/api-error.ts';
import { queryClient } from '#lib/query-client.ts';
import { sayThatCodeIsMissing } from './missing-code.ts';

/**
 * Starts the page that the gateway sent. A page with content is hydrated in its language; a skeleton
 * stays until the page that replaces it is ready.
 *
 * @param prepare loads what the page needs, and returns it; `prerendered` says whether it has content
 */
export async function start(
  root: HTMLElement,
  prepare: (page: { prerendered: boolean }) => Promise<ReactNode>,
): Promise<void> {
  for (const type of ['error', 'unhandledrejection'] as const) {
    window.addEventListener(type, reportUncaught);
  }
  try {
    const data = readPageData();
    if (data) {
      // An old one is shown at first, and read again.
      const updatedAt = data.config_is_old ? 0 : Date.now();
      queryClient.setQueryData(configQuery.queryKey, data.config, { updatedAt });
    }
    if (data?.landing) {
      queryClient.setQueryData(landingQuery(data.language).queryKey, data.landing);
    }
    const prerendered = data?.path === window.location.pathname;
    await startTexts(data && prerendered ? data.language : detectLanguage());
    const page = <StrictMode>{await prepare({ prerendered })}</StrictMode>;
    // As a transition, so that a phone can respond to taps in between.
    startTransition(() => {
      if (prerendered) hydrateRoot(root, page, { onCaughtError });
      else createRoot(root, { onCaughtError }).render(page);
    });
    if (data?.service_worker) installServiceWorker();
  } catch {
    sayThatCodeIsMissing(root);
  }
}

/** Loads the code that reports errors with the first of them. */
function reportUncaught(event: ErrorEvent | PromiseRejectionEvent): void {
  void import('#lib/report-browser-error.ts')
    .then(({ reportBrowserError }) => reportBrowserError(event))
    // Offline, or an old page after a release.
    .catch(() => {});
}

/** An error that a page's error screen shows is reported too, unless the API refused something. */
function onCaughtError(error: unknown): void {
  if (!(error instanceof ApiError)) window.reportError(error);
}

/** The data that the gateway embedded in the page; undefined with the development server. */
function readPageData(): PageData | undefined {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent;
  return text ? (JSON.parse(text) as PageData) : undefined;
}

const WORKER = '/sw.js';

/**
 * Registers the service worker with the offline page, once the browser is idle, and after two seconds at the
 * latest: without a limit, Chromium on a busy machine may never call. Only a later visit needs the worker.
 * Private windows refuse it, which changes nothing else.
 */
function installServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const install = () =>
    void navigator.serviceWorker.register(WORKER, { updateViaCache: 'none' }).catch(() => {});
  const whenIdle = () =>
    'requestIdleCallback' in window
      ? requestIdleCallback(install, { timeout: 2_000 })
      : setTimeout(install, 2_000);
  if (document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle, { once: true });
}
