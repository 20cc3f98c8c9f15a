import { AppError } from '@earshot/core/protocol/errors'
import type { SpotifyConnection } from '@earshot/core/protocol/providers'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answerCalls } from '../../testing/contract-network.ts'
import { createSpotifyAccess } from './spotify-access.ts'

const connected: SpotifyConnection = {
  isConnected: true,
  displayName: 'Paula',
  authorizedAt: 1_000,
  expiresSoon: false,
  mustReconnect: false,
}

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ now: 1_795_000_000_000, toFake: ['Date'] })
})
afterEach(() => vi.useRealTimers())

function answer(connection: Partial<SpotifyConnection>) {
  answerCalls({ 'GET /api/spotify': () => ({ connection: { ...connected, ...connection } }) })
}

async function open(connection: Partial<SpotifyConnection> = {}) {
  answer(connection)
  const changes: unknown[] = []
  const access = createSpotifyAccess('ann', () => changes.push(access.reason()))
  await access.check()
  return { access, changes }
}

it('15.25 is known before the player loads: connected or not', async () => {
  expect((await open()).access.reason()).toBeNull()
  expect((await open({ isConnected: false })).changes).toEqual(['not_connected'])
  expect((await open({ mustReconnect: true })).access.reason()).toBe('not_connected')
})

it('15.25 someone who is not signed in has no account; another failure states nothing', async () => {
  for (const [code, reason] of [
    ['unauthenticated', 'not_connected'],
    ['unavailable', null],
  ] as const) {
    const access = createSpotifyAccess('ann', () => undefined)
    answerCalls({
      'GET /api/spotify': () => {
        throw new AppError(code)
      },
    })
    await access.check()
    expect(access.reason()).toBe(reason)
  }
})

it('15.25 is checked again, but not all the time', async () => {
  const { access } = await open({ isConnected: false })
  answer({})
  await access.check()
  expect(access.reason()).toBe('not_connected')
  vi.advanceTimersByTime(10_000)
  await access.check()
  expect(access.reason()).toBeNull()
})

it('15.25 remembers for a day that the account has no Premium, until another one is connected', async () => {
  const { access } = await open()
  access.onUnsupported('no_premium')
  expect((await open()).access.reason()).toBe('no_premium')
  expect((await open({ authorizedAt: 2_000 })).access.reason()).toBeNull()
  vi.advanceTimersByTime(24 * 3_600_000)
  expect((await open()).access.reason()).toBeNull()
})

it('15.107 a paused app is no fault of the account: it is tried again after five minutes', async () => {
  const { access } = await open()
  access.onUnsupported('app_paused')
  expect(access.reason()).toBe('app_paused')
  vi.advanceTimersByTime(299_000)
  await access.check()
  expect(access.reason()).toBe('app_paused')
  vi.advanceTimersByTime(10_000)
  await access.check()
  expect(access.reason()).toBeNull()
  expect((await open()).access.reason()).toBeNull()
})

it('15.25 learns what the player finds out, except about single tracks', async () => {
  const { access, changes } = await open()
  access.onUnsupported('blocked')
  access.onUnsupported('format')
  expect(access.reason()).toBeNull()
  access.onUnsupported('no_drm')
  access.onUnsupported('no_drm')
  expect(changes).toEqual(['no_drm'])
  vi.advanceTimersByTime(10_000)
  await access.check()
  expect(access.reason()).toBe('no_drm')
})
