import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startApp } from '../support/app.ts'
import { expect, test } from '../support/fixtures.ts'

/** A reverse proxy that passes its upstream's name as Host, as nginx does by default. */
async function openProxy() {
  let upstream = ''
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, host: new URL(upstream).host }
    const passed = request(upstream + asked.url, { method: asked.method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    asked.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    forwardTo: (url: string) => void (upstream = url),
    close: () => server.close(),
  }
}

test('16.225 a page under another address leads to that of the server, where it stays behind any proxy', async ({
  browser,
}) => {
  const proxy = await openProxy()
  const app = await startApp({ env: { PUBLIC_URL: proxy.url } })
  proxy.forwardTo(app.url)
  const page = await browser.newPage()
  const documents: string[] = []
  page.on('request', (asked) => {
    if (asked.isNavigationRequest()) documents.push(asked.url())
  })
  await page.goto(`${app.url}/login?then=x#top`).catch(() => null)
  await expect(page.getByRole('heading', { name: 'Music is better together' })).toBeVisible()
  expect(page.url()).toBe(`${proxy.url}/login?then=x#top`)
  expect(documents).toHaveLength(2)
  await page.close()
  await app.stop()
  proxy.close()
})
