import { describe, expect, it } from 'vitest'
import { splitLinks } from './links.ts'

const link = (href: string, text = href) => ({ href, text })

describe('17.57 links in messages', () => {
  it.each([
    ['plain text', ['plain text']],
    ['', []],
    ['https://example.org/a', [link('https://example.org/a')]],
    ['see http://example.org/a?b=1#c!', ['see ', link('http://example.org/a?b=1#c'), '!']],
    [
      '(https://en.wikipedia.org/wiki/Hum_(song)).',
      ['(', link('https://en.wikipedia.org/wiki/Hum_(song)'), ').'],
    ],
    [
      'https://a.example, https://b.example',
      [
        link('https://a.example/', 'https://a.example'),
        ', ',
        link('https://b.example/', 'https://b.example'),
      ],
    ],
    ['<https://example.org>', ['<', link('https://example.org/', 'https://example.org'), '>']],
    ['HTTPS://EXAMPLE.ORG/A', [link('https://example.org/A', 'HTTPS://EXAMPLE.ORG/A')]],
    ['http://localhost:3000/room', [link('http://localhost:3000/room')]],
    ['http://[::1]:3000/', [link('http://[::1]:3000/')]],
  ])('17.57 links the web addresses of %j', (content, parts) => {
    expect(splitLinks(content)).toEqual(parts)
  })

  it.each([
    'javascript:alert(1)',
    'javascript://example.org/%0Aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'ftp://example.org',
    'xhttps://example.org',
    'https://',
    'https://nohost',
    'https://google.com@evil.example/',
    'https://google.com:pass@evil.example',
    'https://exa mple',
  ])('17.57 does not link %j', (content) => {
    expect(splitLinks(content).filter((part) => typeof part !== 'string')).toEqual([])
  })

  it('17.57 shows the host that the browser opens where it is written in look-alike letters', () => {
    const [part] = splitLinks('https://аррӏе.com/login?next=ü')
    expect(part).toEqual({
      href: 'https://xn--80ak6aa92e.com/login?next=%C3%BC',
      text: 'https://xn--80ak6aa92e.com/login?next=ü',
    })
    expect(splitLinks('https://example.org\\@evil.example/')[0]).toMatchObject({
      href: expect.stringContaining('https://example.org/'),
    })
  })

  it('17.57 ends an address at characters that are invisible or turn the text around', () => {
    expect(splitLinks('https://example.org/\u202Egpj.exe')).toEqual([
      link('https://example.org/'),
      '\u202Egpj.exe',
    ])
    expect(splitLinks('https://example.org/a\u200Bb')[0]).toEqual(link('https://example.org/a'))
  })

  it('splits messages that make a backtracking pattern run for ever', () => {
    for (const content of [
      'https://a.b/' + '('.repeat(1_000),
      'https://a.b/' + ')'.repeat(1_000),
      'https://'.repeat(125),
      '!'.repeat(1_000),
    ]) {
      expect(splitLinks(content).length).toBeGreaterThan(0)
    }
  })
})
