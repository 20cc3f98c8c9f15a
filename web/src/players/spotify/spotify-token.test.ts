import { hourMs } from '@earshot/core/clock'
import { AppError } from '@earshot/core/protocol/errors'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answerCalls } from '../../testing/contract-network.ts'
import { SpotifyToken } from './spotify-token.ts'

/** Gives the same token until it is about to expire, or Spotify refused it, as the server does. */
function answerAsServer() {
  let count = 0
  let expiresAt = 0
  answerCalls({
    'POST /api/spotify/token': ({ body }) => {
      const { rejected } = body as { rejected?: string }
      const isFresh = Date.now() < expiresAt - 60_000 && rejected !== `token ${count}`
      if (!isFresh) {
        count += 1
        expiresAt = Date.now() + 3_600_000
      }
      return { accessToken: `token ${count}`, expiresAt }
    },
  })
}

beforeEach(() => {
  vi.useFakeTimers({ now: 0, toFake: ['Date'] })
  answerAsServer()
})
afterEach(() => vi.useRealTimers())

it('15.27 is asked for once, and again shortly before it expires', async () => {
  const token = new SpotifyToken()
  expect(await Promise.all([token.get(), token.get()])).toEqual(['token 1', 'token 1'])
  vi.setSystemTime(3_539_000)
  expect(await token.get()).toBe('token 1')
  vi.setSystemTime(3_541_000)
  expect(await token.get()).toBe('token 2')
})

it('15.27 one that Spotify refused is not used again', async () => {
  const token = new SpotifyToken()
  token.drop(await token.get())
  expect(await token.get()).toBe('token 2')
  token.drop('token 1')
  expect(await token.get()).toBe('token 2')
})

it('15.27 a failed request is not remembered', async () => {
  const token = new SpotifyToken()
  answerCalls({
    'POST /api/spotify/token': () => {
      throw new AppError('not_connected')
    },
  })
  await expect(token.get()).rejects.toMatchObject({ code: 'not_connected' })
  answerCalls({ 'POST /api/spotify/token': () => ({ accessToken: 'late', expiresAt: 3_600_000 }) })
  expect(await token.get()).toBe('late')
})

it('15.105 a refused token is named until the server has replaced it', async () => {
  const token = new SpotifyToken()
  const first = await token.get()
  token.drop(first)
  answerCalls({
    'POST /api/spotify/token': () => {
      throw new AppError('unavailable')
    },
  })
  await expect(token.get()).rejects.toMatchObject({ code: 'unavailable' })
  const named: unknown[] = []
  answerCalls({
    'POST /api/spotify/token': ({ body }) => {
      named.push(body)
      return { accessToken: `late ${named.length}`, expiresAt: 3_600_000 }
    },
  })
  expect(await token.get()).toBe('late 1')
  vi.setSystemTime(3_541_000)
  await token.get()
  expect(named).toEqual([{ rejected: first }, {}])
})

it('16.310 is asked for once where the clock of the device is an hour ahead', async () => {
  let asked = 0
  const serverMs = Date.now() - hourMs
  const headers = { date: new Date(serverMs).toUTCString() }
  answerCalls({
    'POST /api/spotify/token': () => {
      asked += 1
      return Response.json({ accessToken: 'token', expiresAt: serverMs + hourMs }, { headers }) as never
    },
  })
  const token = new SpotifyToken()
  await token.get()
  await token.get()
  expect(asked).toBe(1)
})
