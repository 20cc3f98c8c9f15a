import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it, vi } from 'vitest'
import { startApp } from '../../test/apps.ts'
import { makeFolder, writeIn } from '../../test/folders.ts'
import { captureLog } from '../../test/log.ts'

const publicUrl = 'https://music.example.org'
const tag = `<script src="/public-address.js" data-addresses="${publicUrl}"></script>`

async function start(urls = [publicUrl]) {
  const pageFolder = await makeFolder()
  await writeIn(pageFolder, 'index.html', '<!doctype html><head><title>The page</title></head>')
  const { logger, lines } = captureLog()
  const variables = { PUBLIC_URL: urls.join(), TRUST_PROXY: 'loopback' }
  const app = await startApp({ pageFolder, logger, variables })
  /** `fetch` takes no other Host. */
  const open = async (path: string, headers: Record<string, string>) => {
    const { resolve, promise } = Promise.withResolvers<{
      status: number | undefined
      policy: unknown
      body: string
    }>()
    const asked = request(
      app.address + path,
      { headers: { accept: 'text/html', ...headers } },
      async (answer) => {
        const policy = answer.headers['content-security-policy']
        resolve({ status: answer.statusCode, policy, body: await text(answer) })
      },
    )
    asked.end()
    return promise
  }
  const warned = () => lines.filter(({ msg }) => msg.startsWith('A page was asked for under another address'))
  return { open, warned }
}

it('16.225 a page that is asked for under another address leads to that of the server', async () => {
  const { open, warned } = await start()
  for (const path of ['/', '/room/r1', '/nowhere']) {
    const { status, body, policy } = await open(path, { host: '192.168.1.5:3000' })
    expect(status).toBe(200)
    expect(body).toContain(tag)
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('upgrade-insecure-requests')
  }
  expect((await open('/', { host: 'music.example.org' })).policy).toContain('upgrade-insecure-requests')
  await vi.waitFor(() => expect(warned()).toMatchObject([{ host: '192.168.1.5:3000' }]))
})

it('16.225 under the addresses of PUBLIC_URL, also as a proxy states them, nothing is added', async () => {
  const { open, warned } = await start([publicUrl, 'http://nas.local:3000'])
  const asked: Record<string, string>[] = [
    { host: 'music.example.org' },
    { host: 'nas.local:3000' },
    { host: '127.0.0.1:3000', 'x-forwarded-host': 'music.example.org' },
  ]
  for (const headers of asked) expect((await open('/', headers)).body).not.toContain('public-address')
  expect(warned()).toEqual([])
})

it('16.225 no request chooses where the page leads', async () => {
  const { open } = await start()
  const { body } = await open('//evil.example/"><script>', { host: 'evil.example' })
  expect(body).toContain(tag)
  expect(body).not.toContain('evil.example')
})

it('16.225 health checks and the API answer under any name', async () => {
  const { open, warned } = await start()
  for (const path of ['/health', '/livez', '/readyz', '/api/config', '/metrics'])
    expect((await open(path, { host: '10.0.0.7' })).status).toBe(200)
  expect(warned()).toEqual([])
})
