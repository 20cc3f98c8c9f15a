import type { ConsoleMessage, Page, WebSocketRoute } from '@playwright/test'

/** Passes on a page's connections. Returns a function that sends the page an event as its server would. */
export async function interposeEvents(page: Page): Promise<(name: string, payload: unknown) => void> {
  let latest: WebSocketRoute | null = null
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    socket.connectToServer()
    latest = socket
  })
  return (name, payload) => latest?.send(`42${JSON.stringify([name, payload])}`)
}

/** A track that left the room is refused at once (16.86), also to a page that reads it until the server's event arrives. */
const isLeftTrack = (message: ConsoleMessage): boolean =>
  message.text().includes('status of 403') &&
  /\/api\/tracks\/[^/]+\/(stream|audio)$/.test(message.location().url)

/** Lists what fails in a page from now on, drawing included, with the address of a call that was refused. */
export function listErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !isLeftTrack(message))
      errors.push(`${message.text()} (${message.location().url})`)
  })
  return errors
}
