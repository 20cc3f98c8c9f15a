import type { Page, WebSocketRoute } from '@playwright/test'

/** Passes on a page's connections. Returns a function that sends the page an event as its server would. */
export async function interposeEvents(page: Page): Promise<(name: string, payload: unknown) => void> {
  let latest: WebSocketRoute | null = null
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    socket.connectToServer()
    latest = socket
  })
  return (name, payload) => latest?.send(`42${JSON.stringify([name, payload])}`)
}

/** Lists what fails in a page from now on, drawing included, with the address of a call that was refused. */
export function listErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`)
  })
  return errors
}
