import fastify from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { shareApp, signUp, startApp } from '../../test/apps.ts'
import { ask } from '../../test/ask.ts'
import { makeFolder, writeIn } from '../../test/folders.ts'
import { registerPage } from './page.ts'

async function writePage(pageFolder: string): Promise<{ pageFolder: string }> {
  await writeIn(pageFolder, 'index.html', '<!doctype html><head><title>The page</title></head>')
  await writeIn(pageFolder, 'room.html', '<!doctype html><head><title>The page of a room</title></head>')
  await writeIn(pageFolder, 'icon.svg', '<svg/>')
  await writeIn(pageFolder, '.built', 'a stamp')
  await writeIn(pageFolder, 'assets/main-abc.js', 'run()')
  await writeIn(pageFolder, 'assets/main-abc.js.br', 'packed')
  return { pageFolder }
}

const startWithPage = async (variables: Record<string, string>) =>
  startApp({ ...(await writePage(await makeFolder())), variables })

const app = shareApp(writePage)

describe('the page', () => {
  it('2.1, 2.3, 2.4, 2.7 is served at each of its routes, in every encoding', async () => {
    for (const path of ['/', '/login', '/room/some-id', '/create-room', '/room/a.b']) {
      const answer = await ask(app.address + path, { headers: { accept: 'text/html' } })
      expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('The page') })
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
    for (const encoding of ['identity', 'br', 'gzip']) {
      const answer = await ask(`${app.address}/`, { headers: { 'accept-encoding': encoding } })
      expect([encoding, answer.status]).toEqual([encoding, 200])
    }
  })

  it('17.157 names for a visitor of a room the scripts of its door first', async () => {
    const pageFolder = await makeFolder()
    await writePage(pageFolder)
    const preloads = {
      door: ['assets/door-1.js'],
      room: ['assets/room-1.js'],
    }
    await writeIn(pageFolder, 'preloads.json', JSON.stringify(preloads))
    const app = await startApp({ pageFolder })
    const readNames = async (path: string, headers: Record<string, string> = {}) => {
      const { text } = await ask(app.address + path, { headers: { accept: 'text/html', ...headers } })
      const [head = ''] = text.split('</head>')
      return [
        ...head.matchAll(/<link rel="modulepreload" crossorigin(.*?) href="\/assets\/([\w-]+)\.js">/g),
      ].map(([, priority, name]) => name + (priority ?? ''))
    }
    expect(await readNames('/')).toEqual([])
    expect(await readNames('/room/r1')).toEqual(['door-1', 'room-1 fetchpriority="low"'])
    // A user with a session gets `room.html`, whose build names what it needs.
    const { cookie } = await signUp(app, 'ann')
    expect(await readNames('/room/r1', { cookie })).toEqual([])
  })

  it('has immutable files where the name contains a hash, and others that are revalidated', async () => {
    const asset = await ask(`${app.address}/assets/main-abc.js`, {
      headers: { 'accept-encoding': 'identity' },
    })
    expect(asset.text).toBe('run()')
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect((await ask(`${app.address}/icon.svg`)).headers.get('cache-control')).toBe('no-cache')
  })

  it('17.86 names its build, and so do the answers of the API', async () => {
    const page = await ask(app.address, { headers: { accept: 'text/html' } })
    const version = /"version":"(\w+)"/.exec(page.text)?.[1]
    const room = await ask(`${app.address}/room/r1`, { headers: { accept: 'text/html' } })
    expect(room.text).toContain(`"version":"${version}"`)
    for (const path of ['/api/config', '/api/rooms/none', '/api/auth/get-session']) {
      expect((await ask(app.address + path)).headers.get('x-page-version')).toBe(version)
    }
  })

  it('sends the files that were compressed by the build', async () => {
    const response = await fetch(`${app.address}/assets/main-abc.js`, {
      headers: { 'accept-encoding': 'br' },
    })
    expect(response.headers.get('content-encoding')).toBe('br')
    expect(response.headers.get('content-type')).toMatch(/javascript/)
    expect(response.headers.get('cache-control')).toMatch(/immutable/)
    await response.body?.cancel()
  })

  it('17.160 has the files that were there at the start, by their exact names', async () => {
    const folder = await makeFolder()
    const app = await startApp(await writePage(folder))
    const statusOf = async (path: string) => (await ask(app.address + path)).status
    await writeIn(folder, 'assets/later-abc.js', 'run()')
    for (const path of ['/assets/main-abc.js', '/assets/main%2Dabc.js', '/icon.svg?a=b']) {
      expect([path, await statusOf(path)]).toEqual([path, 200])
    }
    for (const path of [
      '/assets/later-abc.js',
      '/assets',
      '/assets/',
      '/assets//main-abc.js',
      '//assets/main-abc.js',
      '/assets/./main-abc.js/',
      '/assets%5Cmain-abc.js',
      '/ASSETS/main-abc.js',
      '/%2e%2e/package.json',
    ]) {
      expect([path, await statusOf(path)]).toEqual([path, 404])
    }
  })

  it('17.160 sends a part of a file, its headers alone, and nothing where the browser has it', async () => {
    const get = async (headers: Record<string, string>, method = 'GET') => {
      const response = await fetch(`${app.address}/assets/main-abc.js`, {
        method,
        headers: { 'accept-encoding': 'identity', ...headers },
      })
      expect(response.headers.get('vary')).toMatch(/accept-encoding/)
      expect(response.headers.get('cache-control')).toMatch(/immutable/)
      expect(response.headers.get('content-security-policy')).toContain("default-src 'self'")
      return { status: response.status, text: await response.text(), headers: response.headers }
    }
    const whole = await get({})
    expect([whole.status, whole.text, whole.headers.get('content-length')]).toEqual([200, 'run()', '5'])
    const head = await get({}, 'HEAD')
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '5'])
    const part = await get({ range: 'bytes=1-2' })
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([206, 'un', 'bytes 1-2/5'])
    const known = await get({ 'if-none-match': whole.headers.get('etag') ?? '' })
    expect([known.status, known.text]).toEqual([304, ''])
  })

  it('is not sent in place of a missing or hidden file', async () => {
    for (const path of [
      '/assets/none.js',
      '/none.png',
      '/.built',
      '/../package.json',
      '/%2e%2e/package.json',
    ]) {
      const answer = await ask(app.address + path)
      expect(answer.text).not.toContain('stamp')
      expect(answer.text).not.toContain('earshot')
      expect([403, 404]).toContain(answer.status)
    }
  })

  it('is answered with a hint where it is not built', async () => {
    const app = await startApp({ pageFolder: await makeFolder() })
    const answer = await ask(app.address, { headers: { accept: 'text/html' } })
    expect(answer).toMatchObject({ status: 503, text: expect.stringContaining('npm run build') })
  })
})

describe('the language of the page', () => {
  it('17.84 the choice is set again with each document, for a year, and nothing else is', async () => {
    const cookiesFor = async (cookie: string) =>
      (
        await ask(`${app.address}/room/r1`, { headers: { accept: 'text/html', cookie } })
      ).headers.getSetCookie()
    expect(await cookiesFor('language=ar')).toEqual(['language=ar; Path=/; Max-Age=31536000; SameSite=Lax'])
    for (const none of ['other=1', 'language=../secret', 'language=fr']) {
      expect(await cookiesFor(none)).toEqual([])
    }
  })

  async function startTranslated() {
    const pageFolder = await makeFolder()
    for (const name of ['index', 'room']) {
      await writeIn(pageFolder, `${name}.html`, `<head><title>${name}</title></head>`)
      await writeIn(pageFolder, `${name}.de.html`, `<html lang="de"><head><title>${name}</title></head>`)
      await writeIn(
        pageFolder,
        `${name}.ar.html`,
        `<html lang="ar" dir="rtl"><head><title>${name}</title></head>`,
      )
    }
    return startApp({ pageFolder })
  }

  it('17.81 is that of the cookie, else that of the browser, and no cache may mix them up', async () => {
    const app = await startTranslated()
    for (const path of ['/', '/login', '/room/some-id']) {
      for (const [headers, language] of [
        [{ 'accept-language': 'de-AT,de;q=0.9' }, 'de'],
        [{ 'accept-language': 'de', cookie: 'language=ar' }, 'ar'],
        [{ 'accept-language': 'fr' }, 'en'],
        [{ cookie: 'language=../secret' }, 'en'],
      ] as const) {
        const answer = await ask(app.address + path, { headers })
        expect(answer.headers.get('content-language')).toBe(language)
        expect(answer.headers.get('vary')).toMatch(/accept-language, cookie/)
        expect(answer.headers.get('cache-control')).toBe('no-store')
        expect(/lang="(..)"/.exec(answer.text)?.[1] ?? 'en').toBe(language)
      }
    }
  })

  it('17.81 is English where the build has no other', async () => {
    const answer = await ask(app.address, { headers: { cookie: 'language=de' } })
    expect([answer.status, answer.text.includes('The page')]).toEqual([200, true])
  })
})

describe('the data in the page', () => {
  const readData = (html: string): unknown =>
    JSON.parse(/<script type="application\/json" id="page-data">(.*)<\/script><\/head>/.exec(html)?.[1] ?? '')

  it('12.3a holds the settings and no user without a session', async () => {
    const app = await startWithPage({ SOCKET_SERVERS: 'https://a.example,https://b.example' })
    for (const cookie of ['theme=dark', 'earshot.session_token=made-up.signature']) {
      const { text } = await ask(`${app.address}/room/1`, { headers: { cookie } })
      expect(text).toContain('The page of a room')
      const config = (await ask(`${app.address}/api/config`)).json
      expect(readData(text)).toEqual({ config, user: null, version: expect.any(String) })
    }
  })

  it('12.3a holds the user of the session, whatever their name', async () => {
    const user = await signUp(app, '</script><script>alert(1)//')
    // The page waits for the session for 150 ms only.
    const text = await vi.waitFor(async () => {
      const page = await ask(app.address, { headers: { cookie: user.cookie } })
      expect(readData(page.text)).toMatchObject({ user: { id: user.id, name: user.name, avatarUrl: null } })
      return page.text
    })
    expect(text.match(/<script/g)).toHaveLength(1)
    const headers = { cookie: user.cookie, origin: 'http://127.0.0.1:1' }
    expect(readData((await ask(app.address, { headers })).text)).not.toHaveProperty('user')
  })

  it('12.3b a session that is slow or cannot be resolved delays the page by 150 ms at most', async () => {
    const folder = await makeFolder()
    await writeIn(folder, 'index.html', '<!doctype html><head><title>The page</title></head>')
    const config = { socketServers: [], version: '1', googleSignIn: false, mailConfirmation: false }
    const never = () => new Promise<never>(() => undefined)
    const failing = () => Promise.reject(new Error('The database is away'))
    for (const [resolveSession, find] of [
      [never, failing],
      [failing, never],
    ] as const) {
      const rooms = { doors: { find } }
      const server = fastify()
      onTestFinished(() => server.close())
      await registerPage(server, {
        folder,
        config,
        resolveSession,
        rooms,
        publicUrl: null,
        publicUrls: [],
        socketServers: [],
      })
      const address = await server.listen({ host: '127.0.0.1', port: 0 })
      // Repeated: a busy machine delays an answer too.
      await vi.waitFor(async () => {
        const startedAtMs = performance.now()
        const { text } = await ask(`${address}/room/1`, { headers: { cookie: 'earshot.session_token=a.b' } })
        expect(readData(text)).toEqual({ config, version: expect.any(String) })
        expect(performance.now() - startedAtMs).toBeLessThan(1_000)
      })
    }
  })
})

describe('localhost', () => {
  const spotify = { SPOTIFY_CLIENT_ID: 'id', SPOTIFY_CLIENT_SECRET: 'secret' }
  const withSpotify = shareApp(async (folder) => ({ ...(await writePage(folder)), variables: spotify }))
  const open = (address: string, path: string, headers: Record<string, string> = { accept: 'text/html' }) =>
    ask(address.replace('127.0.0.1', 'localhost') + path, { headers })

  it('7.10c redirects to 127.0.0.1 where Spotify is configured, keeping path and query', async () => {
    const app = withSpotify
    for (const path of ['/', '/room/x?from=mail', '/callback?code=a%20b&state=c']) {
      const answer = await open(app.address, path)
      expect(answer.status).toBe(307)
      expect(answer.headers.get('location')).toBe(`${app.address}${path}`)
    }
  })

  it('7.10c serves API calls, the realtime channel and health without a redirect', async () => {
    const app = withSpotify
    for (const path of ['/health', '/api/config', '/metrics', '/socket.io/?EIO=4&transport=polling']) {
      expect((await open(app.address, path)).status).toBe(200)
    }
    for (const path of ['/', '/icon.svg']) {
      expect((await open(app.address, path, { accept: '*/*' })).status).toBe(200)
    }
  })

  it.each([
    {},
    { ...spotify, PUBLIC_URL: 'http://localhost:8080' },
    { ...spotify, PUBLIC_URL: 'https://a.example' },
  ])('is not redirected without Spotify, or with a public URL', async (variables: Record<string, string>) => {
    const app = await startWithPage(variables)
    expect((await open(app.address, '/')).status).toBe(200)
  })
})
