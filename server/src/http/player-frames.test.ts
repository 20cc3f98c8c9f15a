import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { shareApp, startApp } from '../../test/apps.ts'
import { ask } from '../../test/ask.ts'
import { makeFolder, writeIn } from '../../test/folders.ts'

async function writePage(pageFolder: string): Promise<{ pageFolder: string }> {
  await writeIn(pageFolder, 'index.html', '<!doctype html><head><title>The page</title></head>')
  return { pageFolder }
}

const startWithPage = async (variables: Record<string, string>) =>
  startApp({ ...(await writePage(await makeFolder())), variables })

const app = shareApp(writePage)

function directivesOf(headers: Headers): Record<string, string[]> {
  const policy = headers.get('content-security-policy') ?? ''
  return Object.fromEntries(policy.split(';').map((each) => [each.split(' ')[0], each.split(' ').slice(1)]))
}

describe('the documents of the players', () => {
  it.each(['/', '/room/some-id', '/profile'])(
    '15.17 a page loads and frames nothing foreign: %s',
    async (path) => {
      const { headers } = await ask(app.address + path, { headers: { accept: 'text/html' } })
      expect(directivesOf(headers)).toMatchObject({
        'script-src': ["'self'"],
        'frame-src': ["'self'"],
        'frame-ancestors': ["'none'"],
      })
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    },
  )

  it.each([
    [
      '/players/youtube',
      'https://www.youtube.com/iframe_api',
      'https://www.youtube.com',
      ['https://www.youtube.com', 'https://www.youtube-nocookie.com'],
    ],
    [
      '/players/spotify',
      'https://sdk.scdn.co/spotify-player.js',
      'https://sdk.scdn.co',
      ['https://sdk.scdn.co'],
    ],
  ])(
    "15.17 only %s loads the provider's script, and only our pages frame it",
    async (path, script, origin, frames) => {
      const { status, headers, text } = await ask(app.address + path)
      expect(status).toBe(200)
      expect(text).toContain(`<script src="${script}" async></script>`)
      expect(directivesOf(headers)).toMatchObject({
        'default-src': ["'none'"],
        'script-src': [`'sha256-${hashOfInlineScript(text)}'`, origin],
        'frame-src': frames,
        'frame-ancestors': ["'self'"],
      })
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
      expect(headers.get('cross-origin-embedder-policy')).toBeNull()
      expect(headers.get('cache-control')).toBe('public, max-age=3600')
    },
  )

  it('15.17 load the configured script, whatever characters its address has', async () => {
    const app = await startWithPage({
      YOUTUBE_PLAYER_URL: 'https://proxy.example:8443/a"b?c=1&d=2',
      SPOTIFY_SDK_URL: 'http://127.0.0.1:9999/sdk.js',
    })
    const video = await ask(`${app.address}/players/youtube`)
    expect(video.text).toContain('src="https://proxy.example:8443/a%22b?c=1&amp;d=2"')
    expect(directivesOf(video.headers)['script-src']).toContain('https://proxy.example:8443')
    expect(directivesOf(video.headers)['script-src']?.join()).not.toContain('127.0.0.1')
    const streaming = await ask(`${app.address}/players/spotify`)
    expect(directivesOf(streaming.headers)['frame-src']).toContain('http://127.0.0.1:*')
  })

  it("15.23 the Spotify document names the Web API's address and may call it", async () => {
    const app = await startWithPage({ SPOTIFY_API_URL: 'https://api.example:8443/spotify/' })
    const { text, headers } = await ask(`${app.address}/players/spotify`)
    expect(text).toContain('data-api-url="https://api.example:8443/spotify"')
    expect(directivesOf(headers)['connect-src']).toContain('https://api.example:8443')
    expect((await ask(`${app.address}/players/youtube`)).text).not.toContain('data-api-url')
  })

  it('15.17 are no files and no pages of the app', async () => {
    const { text, headers } = await ask(`${app.address}/players/other`, { headers: { accept: 'text/html' } })
    expect(text).toContain('The page')
    expect(directivesOf(headers)['frame-ancestors']).toEqual(["'none'"])
  })
})

function hashOfInlineScript(html: string): string {
  const script = /<script>([^]*?)<\/script>/.exec(html)?.[1] ?? ''
  return createHash('sha256').update(script).digest('base64')
}
