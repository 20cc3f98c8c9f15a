import { describe, expect, it } from 'vitest'
import { startApp } from '../../test/apps.ts'
import { ask } from '../../test/ask.ts'
import { makeFolder, writeIn } from '../../test/folders.ts'

async function startWithPage(variables: Record<string, string> = {}) {
  const pageFolder = await makeFolder()
  await writeIn(pageFolder, 'index.html', '<!doctype html><title>The page</title>')
  await writeIn(pageFolder, 'icon.svg', '<svg/>')
  await writeIn(pageFolder, '.built', 'a stamp')
  await writeIn(pageFolder, 'assets/main-abc.js', 'run()')
  await writeIn(pageFolder, 'assets/main-abc.js.br', 'packed')
  return startApp({ pageFolder, variables })
}

describe('the page', () => {
  it.each(['/', '/login', '/room/some-id', '/create-room', '/room/a.b'])(
    '2.1, 2.3, 2.4, 2.7 is served at each of its routes: %s',
    async (path) => {
      const app = await startWithPage()
      const answer = await ask(app.address + path, { headers: { accept: 'text/html' } })
      expect(answer.status).toBe(200)
      expect(answer.text).toContain('The page')
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
      expect(answer.headers.get('cache-control')).toBe('no-cache')
    },
  )

  it.each(['identity', 'br', 'gzip'])('is served to a client that accepts %s', async (encoding) => {
    const app = await startWithPage()
    const answer = await ask(`${app.address}/`, { headers: { 'accept-encoding': encoding } })
    expect(answer.status).toBe(200)
  })

  it('has immutable files where the name contains a hash, and others that are revalidated', async () => {
    const app = await startWithPage()
    const asset = await ask(`${app.address}/assets/main-abc.js`, {
      headers: { 'accept-encoding': 'identity' },
    })
    expect(asset.text).toBe('run()')
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect((await ask(`${app.address}/icon.svg`)).headers.get('cache-control')).toBe('no-cache')
  })

  it('sends the files that were compressed by the build', async () => {
    const app = await startWithPage()
    const response = await fetch(`${app.address}/assets/main-abc.js`, {
      headers: { 'accept-encoding': 'br' },
    })
    expect(response.headers.get('content-encoding')).toBe('br')
    expect(response.headers.get('content-type')).toMatch(/javascript/)
    expect(response.headers.get('cache-control')).toMatch(/immutable/)
    await response.body?.cancel()
  })

  it.each(['/assets/none.js', '/none.png', '/.built', '/../package.json', '/%2e%2e/package.json'])(
    'is not sent in place of a missing or hidden file: %s',
    async (path) => {
      const app = await startWithPage()
      const answer = await ask(app.address + path)
      expect(answer.text).not.toContain('stamp')
      expect(answer.text).not.toContain('earshot')
      expect([403, 404]).toContain(answer.status)
    },
  )

  it('is answered with a hint where it is not built', async () => {
    const app = await startApp({ pageFolder: await makeFolder() })
    const answer = await ask(app.address, { headers: { accept: 'text/html' } })
    expect(answer).toMatchObject({ status: 503, text: expect.stringContaining('npm run build') })
  })
})

describe('localhost', () => {
  const open = (address: string, path: string, headers: Record<string, string> = { accept: 'text/html' }) =>
    ask(address.replace('127.0.0.1', 'localhost') + path, { headers })

  it('7.10c redirects to 127.0.0.1, keeping path and query', async () => {
    const app = await startWithPage()
    const answer = await open(app.address, '/room/x?from=mail')
    expect(answer.status).toBe(307)
    expect(answer.headers.get('location')).toBe(`${app.address}/room/x?from=mail`)
  })

  it('7.10c serves API calls and health without a redirect', async () => {
    const app = await startWithPage()
    for (const path of ['/health', '/api/config', '/metrics']) {
      expect((await open(app.address, path)).status).toBe(200)
    }
    for (const path of ['/', '/icon.svg']) {
      expect((await open(app.address, path, { accept: '*/*' })).status).toBe(200)
    }
  })

  it('is not redirected where the operator configured it as the public URL', async () => {
    const app = await startWithPage({ PUBLIC_URL: 'http://localhost:8080' })
    expect((await open(app.address, '/')).status).toBe(200)
  })
})
