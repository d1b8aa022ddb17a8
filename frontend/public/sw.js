// The service worker. It has a page for being offline, and nothing else: no page, no answer of the
// API, nothing that somebody paid for or that belongs to somebody ever lies in its cache, because
// several people may use one machine. How it is taken away: docs/operations/service-worker.md.

// The build writes in what the kept files are: when one changes, so does this file, and is installed.
const KEPT = 'offline-development';
const PAGE = '/offline.html';
const SCRIPT = '/offline.js';

self.addEventListener('install', (event) => {
  event.waitUntil(keep());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || pathname.startsWith('/api/')) return;
  if (request.mode === 'navigate' && request.method === 'GET') event.respondWith(navigate(event));
  else if (pathname === SCRIPT) event.respondWith(fetch(request).catch(() => kept(SCRIPT)));
});

async function keep() {
  const cache = await caches.open(KEPT);
  const fresh = [PAGE, SCRIPT].map((path) => new Request(path, { cache: 'reload' }));
  await cache.addAll(fresh);
  await self.skipWaiting();
}

async function takeOver() {
  const old = (await caches.keys()).filter((name) => name !== KEPT);
  await Promise.all(old.map((name) => caches.delete(name)));
  // The page is asked for while this worker is still starting, so that it delays nobody.
  await self.registration.navigationPreload?.enable();
}

async function navigate(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return kept(PAGE);
  }
}

async function kept(path) {
  return (await caches.match(path)) ?? Response.error();
}
