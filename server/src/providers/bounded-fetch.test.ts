import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseJson } from '../parse-json.ts'
import { fetchBounded, ProviderUnreachable } from './bounded-fetch.ts'

const bounds = { timeoutMs: 30_000, maxBytes: 1_000 }

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a request to a provider', () => {
  it('resolves to any answer that is complete', async () => {
    const url = await serve((_, response) => response.writeHead(503, { 'retry-after': '4' }).end('{"a":1}'))
    const { status, headers, text } = await fetchBounded(url, {}, bounds)
    expect([status, headers.get('retry-after'), parseJson(text)]).toEqual([503, '4', { a: 1 }])
  })

  it('15.42 reads an answer that begins with a byte order mark', async () => {
    const url = await serve((_, response) => response.end('\uFEFF{"a":1}'))
    expect(parseJson((await fetchBounded(url, {}, bounds)).text)).toEqual({ a: 1 })
  })

  it('15.4 does not follow a redirect', async () => {
    const paths: (string | undefined)[] = []
    const url = await serve(({ url: path }, response) => {
      paths.push(path)
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect((await fetchBounded(url, {}, bounds)).status).toBe(302)
    expect(paths).toEqual(['/'])
  })

  it.each<[string, number, RequestListener]>([
    ['is too late', 100, () => {}],
    ['stops in the middle', 100, (_, response) => void response.writeHead(200).write('{')],
    ['is too long', bounds.timeoutMs, (_, response) => response.end('x'.repeat(1_001))],
    [
      'never ends',
      bounds.timeoutMs,
      (_, response) => void setInterval(() => response.write('x'.repeat(100)), 5).unref(),
    ],
    ['breaks off', bounds.timeoutMs, ({ socket }) => void socket.destroy()],
  ])('fails within its bounds where the answer %s, naming no address', async (_, timeoutMs, listener) => {
    const url = await serve(listener)
    const error: unknown = await fetchBounded(`${url}/?key=secret`, {}, { ...bounds, timeoutMs }).catch(
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(ProviderUnreachable)
    expect(String(error)).not.toMatch(/secret|127\.0\.0\.1/)
  })
})
