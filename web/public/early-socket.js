// Opens the connection of a room while the page's code loads; src/realtime/server-socket.ts takes it over.
{
  const { config, user } = JSON.parse(document.getElementById('page-data')?.textContent ?? '{}')
  let isInactive = true
  try {
    // A tab that was inactive waits for its earlier connection to close.
    isInactive = sessionStorage.getItem('inactiveSince:v1') !== null
  } catch {
    // Storage is not allowed: the page's code decides.
  }
  if (user && !isInactive) {
    const url = config.socketServers.find((server) => /^https?:/i.test(server)) ?? location.origin
    const socket = new WebSocket(
      new URL('/socket.io/?EIO=4&transport=websocket', url.replace(/^http/i, 'ws')),
    )
    const received = []
    socket.onmessage = (event) => received.push(event)
    const timer = setTimeout(() => socket.close(), 15_000)
    globalThis.earlySocket = { url, socket, received, timer }
  }
}
