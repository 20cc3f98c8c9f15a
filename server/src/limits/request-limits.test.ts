import { limits } from '@earshot/core/limits'
import { trackArtPath, trackStreamPath } from '@earshot/core/protocol/track-paths'
import type { FastifyInstance } from 'fastify'
import { expect, it } from 'vitest'
import { startBareServer } from '../../test/bare-server.ts'

it('15.95 pages and their files are limited per address, and what a balancer asks is always answered', async () => {
  // A room is about 50 files, and a hundred people may share a line.
  expect(limits.rates.pages).toEqual({ points: 100 * 50, perMs: 10_000 })
  const rate = { points: 10, perMs: 600_000 }
  const addCalls = (server: FastifyInstance): void => {
    for (const path of ['/', '/assets/*', '/health', '/livez', '/readyz', '/metrics', '/api/call'])
      server.get(path, async () => 'fine')
    server.setNotFoundHandler(async () => 'the page of a room')
  }
  const { server } = await startBareServer(addCalls, { requestRates: { pages: rate } })
  const visit = async (url: string, remoteAddress = '192.0.2.1') => {
    const { statusCode, headers } = await server.inject({ url, remoteAddress, headers: { host: 'x' } })
    return { statusCode, retryAfter: headers['retry-after'] }
  }
  const limited = ['/', '/assets/a.js', '/health', '/room/a', '/api/nothing']
  for (let visits = 0; visits < rate.points; visits += limited.length) {
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
  const { server } = await startBareServer(addCalls, { requestRates: { media: rate } })
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
