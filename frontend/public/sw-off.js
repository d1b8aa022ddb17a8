// Served as /sw.js while the service worker is switched off: removes itself, and the worker that it replaces,
// from the browser. See docs/operations/service-worker.md.
self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => {
  event.waitUntil(leave());
});

async function leave() {
  const names = await caches.keys();
  await Promise.all(names.map((name) => caches.delete(name)));
  await self.registration.unregister();
}
