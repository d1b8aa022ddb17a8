// Served as /sw.js where the service worker is switched off: takes itself, and the worker that it
// replaces, out of the browser. How: docs/operations/service-worker.md.
self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => {
  event.waitUntil(leave());
});

async function leave() {
  const names = await caches.keys();
  await Promise.all(names.map((name) => caches.delete(name)));
  await self.registration.unregister();
}
