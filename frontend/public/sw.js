// The service worker. It caches the offline page and nothing else: no other page, API response, or paid or
// personal content, because several people may use one browser. How to remove it:
// docs/operations/service-worker.md.

// The build inserts a hash of the cached files, so that this file changes with them, and is installed again.
const CACHE = 'offline-development';
const PAGE = '/offline.html';
const SCRIPT = '/offline.js';

self.addEventListener('install', (event) => {
  event.waitUntil(fillCache());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(activate());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || pathname.startsWith('/api/')) return;
  if (request.mode === 'navigate' && request.method === 'GET') event.respondWith(navigate(event));
  else if (pathname === SCRIPT) event.respondWith(fetch(request).catch(() => fromCache(SCRIPT)));
});

async function fillCache() {
  const cache = await caches.open(CACHE);
  const fresh = [PAGE, SCRIPT].map((path) => new Request(path, { cache: 'reload' }));
  await cache.addAll(fresh);
  await self.skipWaiting();
}

async function activate() {
  const old = (await caches.keys()).filter((name) => name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  // The browser requests the page while this worker is still starting, so that the worker causes no delay.
  await self.registration.navigationPreload?.enable();
}

async function navigate(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return fromCache(PAGE);
  }
}

async function fromCache(path) {
  return (await caches.match(path)) ?? Response.error();
}
