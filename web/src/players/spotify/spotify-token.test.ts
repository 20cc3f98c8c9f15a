import { AppError } from '@earshot/core/protocol/errors'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answerCalls } from '../../testing/contract-network.ts'
import { SpotifyToken } from './spotify-token.ts'

let asked = 0
beforeEach(() => {
  asked = 0
  vi.useFakeTimers({ now: 0, toFake: ['Date'] })
  answerCalls({
    'POST /api/spotify/token': () => ({ accessToken: `token ${++asked}`, expiresAt: Date.now() + 3_600_000 }),
  })
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
