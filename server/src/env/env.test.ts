import { isAbsolute, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EnvError, parseEnv } from './env.ts'
import { createIsProxy } from '../http/client-address.ts'

function problemsOf(values: Record<string, string>): readonly string[] {
  try {
    parseEnv(values)
  } catch (error) {
    if (error instanceof EnvError) return error.problems
    throw error
  }
  return []
}

const root = join(import.meta.dirname, '..', '..', '..')

describe('the configuration', () => {
  it('needs nothing: every variable has a default', () => {
    expect(parseEnv({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: null,
      publicUrls: [],
      trustProxy: null,
      dataDir: join(root, 'data'),
      databaseUrl: null,
      redisUrl: null,
      musicDir: join(root, 'music'),
      socketServers: [],
      publicClientKey: null,
      secret: null,
      previousSecrets: [],
      spotify: {
        credentials: null,
        redirectUri: null,
        accountsUrl: 'https://accounts.spotify.com',
        apiUrl: 'https://api.spotify.com',
        sdkUrl: 'https://sdk.scdn.co/spotify-player.js',
      },
      youtube: {
        apiKey: null,
        apiUrl: 'https://www.googleapis.com/youtube/v3',
        oembedUrl: 'https://www.youtube.com/oembed',
        playerUrl: 'https://www.youtube.com/iframe_api',
      },
      google: null,
      signUp: 'open',
      signUpsPerHour: 20,
      libraryAccess: 'everyone',
      smtpUrl: null,
      mailFrom: null,
      addressScale: 1,
      socketsPerAddress: 2_000,
      guestsPerAddress: 60,
      pool: { size: 20, statementTimeoutMs: 30_000, keepAliveMs: 30_000 },
      retention: { messagesMs: null, historyMs: null, idleRoomsMs: null, outboxMs: null },
      diskReserveBytes: 16 * 1024 * 1024,
      drainMs: 0,
      commit: null,
      metricsToken: null,
      logLevel: 'info',
    })
  })

  it('reads every variable', () => {
    const env = parseEnv({
      PORT: '0',
      HOST: '::',
      PUBLIC_URL: 'https://music.example.org/, http://nas.local:3000',
      DATA_DIR: '/var/lib/earshot',
      DATABASE_URL: 'postgres://somebody:word@db.example.org:5432/earshot',
      REDIS_URL: 'rediss://cache.example.org',
      MUSIC_DIR: 'other/music',
      SOCKET_SERVERS: 'https://one.example.org/, gopher://old.example.org ,https://two.example.org',
      PUBLIC_CLIENT_KEY: 'publishable-key',
      SECRET: 's'.repeat(32),
      SECRET_PREVIOUS: `${'o'.repeat(32)}, ${'/'.repeat(40)}`,
      SPOTIFY_CLIENT_ID: 'id',
      SPOTIFY_CLIENT_SECRET: 'secret',
      YOUTUBE_API_KEY: 'key',
      GOOGLE_CLIENT_ID: 'google-id',
      GOOGLE_CLIENT_SECRET: 'google-secret',
      SMTP_URL: 'smtp://127.0.0.1:2525',
      LOG_LEVEL: 'debug',
    })
    expect(env).toMatchObject({
      port: 0,
      host: '::',
      publicUrl: 'https://music.example.org',
      publicUrls: ['https://music.example.org', 'http://nas.local:3000'],
      dataDir: '/var/lib/earshot',
      databaseUrl: 'postgres://somebody:word@db.example.org:5432/earshot',
      redisUrl: 'rediss://cache.example.org',
      musicDir: join(root, 'other', 'music'),
      socketServers: ['https://one.example.org', 'gopher://old.example.org', 'https://two.example.org'],
      publicClientKey: 'publishable-key',
      secret: 's'.repeat(32),
      previousSecrets: ['o'.repeat(32), '/'.repeat(40)],
      google: { clientId: 'google-id', clientSecret: 'google-secret' },
      smtpUrl: 'smtp://127.0.0.1:2525',
      logLevel: 'debug',
    })
    expect(env.spotify.credentials).toEqual({ clientId: 'id', clientSecret: 'secret' })
    expect(env.youtube.apiKey).toBe('key')
    expect(isAbsolute(env.musicDir)).toBe(true)
  })

  it('treats an empty value as not given', () => {
    const names = ['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'SECRET', 'SOCKET_SERVERS', 'LOG_LEVEL']
    expect(parseEnv(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(parseEnv({}))
  })

  it.each([
    ['DATA_DIR', '~/earshot'],
    ['MUSIC_DIR', '~'],
    ['DATABASE_URL', 'postgres://ann:p#w@db.example/earshot'],
    ['REDIS_URL', 'redis://:p@ss#1@localhost:6379'],
  ])('16.107 refuses %s=%s, which would lead elsewhere than meant', (name, value) => {
    expect(problemsOf({ [name]: value })).toHaveLength(1)
  })

  it.each([
    ['SMTP_URL', 'smtp://ann:pass/word@mail.example.org:587'],
    ['SMTP_URL', 'smtp://ann:100%@mail.example.org:587'],
    ['REDIS_URL', 'redis://:100%@cache.example.org:6379'],
  ])('16.226 refuses %s=%s, and says how to write special characters', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(`^${name} must be .* as %XX`)])
  })

  it('16.226 takes special characters as %XX, and a % from PostgreSQL as it is', () => {
    expect(problemsOf({ SMTP_URL: 'smtp://ann:pass%2F100%25@mail.example.org:587' })).toEqual([])
    expect(problemsOf({ DATABASE_URL: 'postgres://ann:50%off@db.example.org/earshot' })).toEqual([])
  })

  it('reports every problem at once, with the variable and the allowed values', () => {
    const problems = problemsOf({
      PORT: '70000',
      PUBLIC_URL: 'https://example.org/somewhere',
      DATABASE_URL: 'mysql://db',
      SECRET: 'short',
      LOG_LEVEL: 'loud',
      GOOGLE_CLIENT_ID: 'alone',
    })
    expect(problems).toEqual([
      'PORT must be a whole number from 0 to 65535 (0: any that is free)',
      'PUBLIC_URL must be the http:// or https:// addresses that browsers use, separated by commas, without a path: Earshot needs a host name of its own',
      'DATABASE_URL must be an address that begins with postgres:// or postgresql://, with special characters of the password as %XX, such as # as %23',
      'SECRET must be at least 32 characters long',
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent',
      'GOOGLE_CLIENT_SECRET must be given where GOOGLE_CLIENT_ID is',
    ])
  })

  it.each([
    ['10.0.0.0/255.0.0.0', '10.1.2.3'],
    ['192.0.2.1, fd00::/8', 'fd00::1'],
    ['loopback, uniquelocal', '192.168.1.1'],
  ])('16.173 TRUST_PROXY=%s admits %s and nobody else', (proxies, address) => {
    const isProxy = createIsProxy(parseEnv({ TRUST_PROXY: proxies }))
    expect(isProxy(address)).toBe(true)
    expect(isProxy('198.51.100.1')).toBe(false)
  })

  it.each(['0.0.0.0/0', '::/0', '10.0.0.0/255.0.255.0', '10', '10/8', ','])(
    '16.173 refuses TRUST_PROXY=%s with the name of the variable',
    (proxies) => {
      expect(problemsOf({ TRUST_PROXY: proxies })).toEqual([
        'TRUST_PROXY must be the addresses or networks of your proxies, separated by commas, or their number from 1 to 9',
      ])
    },
  )

  it.each([
    ['PORT', '-1'],
    ['PORT', '3000.5'],
    ['PORT', 'three'],
    ['HOST', 'not a host'],
    ['PUBLIC_URL', 'example.org'],
    ['PUBLIC_URL', 'ftp://example.org'],
    ['REDIS_URL', 'http://cache'],
    ['TRUST_PROXY', 'my-proxy'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', 'true'],
    ['SOCKET_SERVERS', 'https://one.example.org,two'],
    ['PUBLIC_CLIENT_KEY', 'with space'],
    ['SMTP_URL', 'mail.example.org'],
    ['MAIL_FROM', 'no address'],
    ['MAIL_FROM', 'a@example.org\r\nBcc: b@example.org'],
    ['SECRET_PREVIOUS', `${'o'.repeat(32)},short`],
  ])('refuses %s=%s, without repeating the value', (name, value) => {
    const problems = problemsOf({ [name]: value })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^${name} must be `))
    expect(problems[0]).not.toContain(value)
  })

  it('16.126 refuses a PUBLIC_URL below a path, and says that Earshot needs a host name of its own', () => {
    for (const url of ['https://example.org/earshot', 'https://a.example.org,https://example.org/earshot/']) {
      expect(problemsOf({ PUBLIC_URL: url })).toEqual([
        expect.stringMatching(/^PUBLIC_URL must be .* without a path: Earshot needs a host name of its own$/),
      ])
    }
    expect(problemsOf({ PUBLIC_URL: 'https://example.org/' })).toEqual([])
  })
})
