import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseYoutubeLink } from './youtube-link.ts'

const id = 'dQw4w9WgXcQ'
const video = { kind: 'video', id }
const playlist = { kind: 'playlist', id: 'PLabc-_123' }

describe('a pasted YouTube link', () => {
  it.each([
    `https://www.youtube.com/watch?v=${id}`,
    `http://youtube.com/watch?v=${id}`,
    `youtube.com/watch?v=${id}`,
    `www.youtube.com/watch?app=desktop&v=${id}&t=42s&si=x#top`,
    `https://m.youtube.com/watch?v=${id}`,
    `https://music.youtube.com/watch?v=${id}&list=RDAMVM${id}`,
    `https://www.youtube.com/watch?v=${id}&list=PLabc-_123&index=3`,
    `https://youtu.be/${id}?si=abc`,
    `youtu.be/${id}`,
    `https://youtu.be/${id}?list=PLabc-_123`,
    `https://www.youtube.com/shorts/${id}`,
    `https://www.youtube.com/live/${id}?feature=share`,
    `https://www.youtube.com/embed/${id}?autoplay=1`,
    `https://www.youtube-nocookie.com/embed/${id}`,
    `https://WWW.YouTube.com/watch?v=${id}`,
    `  https://youtu.be/${id}\n`,
    `https://www.youtube.com//watch?v=${id}`,
  ])('7.14b leads to its video: %s', (link) => {
    expect(parseYoutubeLink(link)).toEqual(video)
  })

  it.each([
    'https://www.youtube.com/playlist?list=PLabc-_123',
    'youtube.com/playlist?list=PLabc-_123&si=x',
    'https://music.youtube.com/playlist?list=PLabc-_123',
    'https://music.youtube.com/browse/VLPLabc-_123',
    'https://www.youtube.com/watch?list=PLabc-_123',
    'https://www.youtube.com/embed/videoseries?list=PLabc-_123',
  ])('7.14b leads to its playlist: %s', (link) => {
    expect(parseYoutubeLink(link)).toEqual(playlist)
  })

  it.each(['RDdQw4w9WgXcQ', 'RDMM', 'WL', 'LL'])(
    'a list of one person is refused, with a reason: %s',
    (list) => {
      const refusal = expect.objectContaining({
        code: 'link_not_supported',
        message: expect.stringMatching(/Paste a link to a .*playlist instead/),
      })
      expect(() => parseYoutubeLink(`https://www.youtube.com/playlist?list=${list}`)).toThrow(refusal)
    },
  )

  it("accepts a playlist of YouTube Music's editors", () => {
    const link = 'https://music.youtube.com/playlist?list=RDCLAK5uy_abc'
    expect(parseYoutubeLink(link)).toEqual({ kind: 'playlist', id: 'RDCLAK5uy_abc' })
  })

  it.each([
    '',
    'song',
    id,
    'https://www.youtube.com/',
    'https://www.youtube.com/@channel',
    'https://www.youtube.com/watch',
    'https://www.youtube.com/watch?v=',
    'https://www.youtube.com/watch?v=a%2F..%2Fb',
    'https://www.youtube.com/redirect?q=https://example.org',
    'https://youtu.be/',
    `https://evil.example/watch?v=${id}`,
    `https://youtube.com.evil.example/watch?v=${id}`,
    `https://evil.example/youtube.com/watch?v=${id}`,
    `https://youtube.com@evil.example/watch?v=${id}`,
    `https://user:word@youtube.com/watch?v=${id}`,
    `javascript://youtube.com/watch?v=${id}`,
    `file:///youtube.com/watch?v=${id}`,
    `https://open.spotify.com/track/${id}`,
    'http://[::1',
  ])('leads nowhere: %j', (link) => {
    expect(parseYoutubeLink(link)).toBeNull()
  })

  it('any text is parsed or refused, without another error', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.webPath().map((path) => `youtu.be${path}`),
        ),
        (link) => {
          const parsed = parseYoutubeLink(link)
          expect(parsed?.id ?? 'none').toMatch(/^[\w-]{1,64}$/)
        },
      ),
    )
  })
})
