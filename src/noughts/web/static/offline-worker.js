// The service worker of the page that plays without a connection; PAGE, NAME and FILES stand above it when it is served.
//
// The page itself comes from the server, if it answers within three seconds, so that it is never older than it need be;
// else the kept one. Its files have fingerprints in their addresses: one that is kept is the one that is meant.

const PATIENCE = 3000;
const OURS = "noughts-offline-";

async function keep() {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES);
  await self.skipWaiting();
}

async function clear() {
  const old = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function page(request) {
  const kept = await caches.match(PAGE, { ignoreVary: true });
  try {
    const fresh = await fetch(request, kept && { signal: AbortSignal.timeout(PATIENCE) });
    return fresh.ok || !kept ? fresh : kept;
  } catch (error) {
    if (!kept) throw error;
    return kept;
  }
}

async function file(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(clear()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode !== "navigate") event.respondWith(file(request));
  else if (pathname === PAGE) event.respondWith(page(request));
});
