const WORKER = '/sw.js';

/**
 * Installs the worker that has a page for being offline, once there is nothing better to do: it is
 * for a later visit. A browser that refuses it (private windows do) is as well off as before.
 */
export function installServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const install = () =>
    void navigator.serviceWorker.register(WORKER, { updateViaCache: 'none' }).catch(() => {});
  const whenIdle = () =>
    'requestIdleCallback' in window ? requestIdleCallback(install) : setTimeout(install, 2_000);
  if (document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle, { once: true });
}
