import { trackArtPath, trackStreamPath } from '@earshot/core/protocol/media-paths'
import type { FastifyInstance } from 'fastify'
import { expect, it } from 'vitest'
import { secret, startBareServer } from '../../test/bare-server.ts'
import { freezeWindows } from '../../test/rate-windows.ts'
import { sessionCookie } from '../../test/sign-in.ts'
import { documentPoints } from './request-limits.ts'
import { otherRates } from './rates.ts'

it('15.95 pages and their files are limited per address, and what a balancer asks is always answered', async () => {
  // A room is a document and about 50 files, and 300 people may share a line.
  expect(otherRates.pagesAddress).toEqual({ points: 300 * (documentPoints + 50), perMs: 10_000 })
  const rounds = 2
  const rate = { points: rounds * (3 * documentPoints + 2), perMs: 600_000 }
  const addCalls = (server: FastifyInstance): void => {
    for (const path of ['/', '/assets/*', '/health', '/livez', '/readyz', '/metrics', '/api/call'])
      server.get(path, async () => 'fine')
    server.setNotFoundHandler(async () => 'the page of a room')
  }
  const { server } = await startBareServer(addCalls, { requestRates: { pagesAddress: rate } })
  freezeWindows()
  const visit = async (url: string, remoteAddress = '192.0.2.1') => {
    const { statusCode, headers } = await server.inject({ url, remoteAddress, headers: { host: 'x' } })
    return { statusCode, retryAfter: headers['retry-after'] }
  }
  const limited = ['/', '/assets/a.js', '/health', '/room/a', '/api/nothing']
  for (let round = 0; round < rounds; round += 1) {
    for (const url of limited) expect((await visit(url)).statusCode).toBe(200)
  }
  const refused = { statusCode: 429, retryAfter: '600' }
  for (const url of limited) expect({ url, ...(await visit(url)) }).toEqual({ url, ...refused })
  for (const url of ['/livez', '/readyz', '/metrics', '/api/call'])
    expect({ url, ...(await visit(url)) }).toMatchObject({ url, statusCode: 200 })
  expect((await visit('/', '192.0.2.2')).statusCode).toBe(200)
})

it('16.162 audio and covers are limited per address, apart from calls and pages', async () => {
  const rate = { points: 4, perMs: 600_000 }
  const addCalls = (server: FastifyInstance): void => {
    for (const path of ['/api/tracks/:trackId', trackArtPath(':trackId'), trackStreamPath(':trackId')])
      server.get(decodeURIComponent(path), async () => 'fine')
    server.get('/', async () => 'the page')
  }
  const { server } = await startBareServer(addCalls, { requestRates: { mediaAddress: rate } })
  freezeWindows()
  const visit = async (url: string, remoteAddress = '192.0.2.1') => {
    const { statusCode, headers } = await server.inject({ url, remoteAddress, headers: { host: 'x' } })
    return [statusCode, headers['retry-after']]
  }
  const media = [trackArtPath('t1'), trackStreamPath('t1')]
  for (const url of [...media, ...media]) expect(await visit(url)).toEqual([200, undefined])
  for (const url of media) expect(await visit(url)).toEqual([429, '600'])
  for (const url of ['/', '/api/tracks/t1']) expect(await visit(url)).toEqual([200, undefined])
  expect(await visit(trackArtPath('t1'), '192.0.2.2')).toEqual([200, undefined])
})

it('16.256 a session that uses up its limit, and strangers that use up theirs, shut out nobody else at their address', async () => {
  const few = { points: 3, perMs: 600_000 }
  const requestRates = {
    http: few,
    pages: few,
    media: few,
    httpAddress: few,
    pagesAddress: few,
    mediaAddress: few,
  }
  const enough = { points: 100, perMs: 600_000 }
  const media = decodeURIComponent(trackStreamPath(':trackId'))
  const paths = ['/api/call', '/assets/a.js', trackStreamPath('t1')]
  const start = (rates: typeof requestRates) =>
    startBareServer(
      (server) => {
        for (const path of ['/api/call', '/assets/*', media]) server.get(path, async () => 'fine')
      },
      { requestRates: rates },
    )
  const ofAddress = { httpAddress: enough, pagesAddress: enough, mediaAddress: enough }
  for (const rates of [requestRates, { ...requestRates, ...ofAddress }]) {
    const { server } = await start(rates)
    const visit = async (url: string, cookie?: string) => {
      const headers = { host: 'x', ...(cookie === undefined ? {} : { cookie }) }
      return (await server.inject({ url, remoteAddress: '192.0.2.1', headers })).statusCode
    }
    const isWide = rates.httpAddress.points > few.points
    for (const url of paths) {
      for (let turn = 0; turn < few.points; turn += 1)
        expect(await visit(url, isWide ? sessionCookie('rude', secret) : undefined)).toBe(200)
      expect(await visit(url, isWide ? sessionCookie('rude', secret) : undefined)).toBe(429)
      expect(await visit(url, sessionCookie('honest', secret))).toBe(200)
      // A cookie that is not signed counts as none.
      expect(await visit(url, sessionCookie('forged', 'another secret'))).toBe(isWide ? 200 : 429)
    }
  }
})

it('16.256 the sessions of an address have a limit together, which PEOPLE_PER_ADDRESS sets', async () => {
  const requestRates = { httpAddress: { points: 60, perMs: 600_000 } }
  const addCalls = (server: FastifyInstance): void => void server.get('/api/call', async () => 'fine')
  const { server } = await startBareServer(addCalls, { requestRates, variables: { PEOPLE_PER_ADDRESS: '5' } })
  const statuses: number[] = []
  for (let user = 0; user < 6; user += 1) {
    const headers = { host: 'x', cookie: sessionCookie(`user ${user}`, secret) }
    statuses.push((await server.inject({ url: '/api/call', headers })).statusCode)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})
