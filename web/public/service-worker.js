// Answers a navigation with a page of its own where neither the network nor the server can be reached. It caches nothing
// else: every page and file comes from the server.
const language = /^\?language=([a-z]{2})$/.exec(location.search)?.[1]
const offlinePage = language ? `/offline.${language}.html` : '/offline.html'
const cacheName = `offline-3${offlinePage}`

addEventListener('install', (event) => {
  const files = [offlinePage, '/setup.css']
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)))
  skipWaiting()
})

addEventListener('activate', (event) => {
  event.waitUntil(removeOldCaches())
})

async function removeOldCaches() {
  // Navigations start before the worker has: it costs them no time.
  await registration.navigationPreload?.enable()
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)))
}

addEventListener('fetch', (event) => {
  const { request } = event
  if (request.mode === 'navigate') event.respondWith(openPage(event))
  else if (new URL(request.url).pathname === '/setup.css') event.respondWith(readStyle(request))
})

async function openPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return (await caches.match(offlinePage)) ?? Response.error()
  }
}

async function readStyle(request) {
  return fetch(request).catch(async () => (await caches.match(request)) ?? Response.error())
}
