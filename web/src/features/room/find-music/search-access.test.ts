import { AppError } from '@earshot/core/protocol/errors'
import { describe, expect, it } from 'vitest'
import { accessAfterRefusal, searchAccess } from './search-access.ts'

const spotify = { source: 'spotify', available: true, reason: null } as const
const youtube = { source: 'youtube', available: true, reason: null } as const
const connected = { isConnected: true, mustReconnect: false }

describe('15.31 before a search', () => {
  it('a source is open unless something is known against it', () => {
    expect(searchAccess(undefined, undefined, 5)).toEqual({ kind: 'open' })
    expect(searchAccess(spotify, undefined, 5)).toEqual({ kind: 'open' })
    expect(searchAccess(spotify, connected, 5)).toEqual({ kind: 'open' })
    expect(searchAccess({ ...youtube, canSearch: true, searchPausedUntil: null }, undefined, 5)).toEqual({
      kind: 'open',
    })
  })

  it('Spotify needs a connection that has not ended; YouTube needs none', () => {
    const gone = { isConnected: false, mustReconnect: true }
    expect(searchAccess(spotify, { isConnected: false, mustReconnect: false }, 5)).toEqual({
      kind: 'not_connected',
    })
    expect(searchAccess(spotify, gone, 5)).toEqual({ kind: 'must_reconnect' })
    expect(searchAccess(youtube, gone, 5)).toEqual({ kind: 'open' })
  })

  it('a source without search takes links', () => {
    expect(searchAccess({ ...youtube, canSearch: false }, undefined, 5)).toEqual({ kind: 'links_only' })
  })

  it('17.356 a guest needs an account, also for Spotify, which guests cannot connect', () => {
    const forGuests = { canSearch: false, searchNeedsAccount: true }
    for (const source of [youtube, spotify])
      expect(searchAccess({ ...source, ...forGuests }, undefined, 5)).toEqual({ kind: 'account_required' })
  })

  it('a limit that was reached pauses the search until its time', () => {
    const paused = { ...youtube, searchPausedUntil: 1_000 }
    expect(searchAccess(paused, undefined, 999)).toEqual({ kind: 'paused', untilMs: 1_000 })
    expect(searchAccess(paused, undefined, 1_000)).toEqual({ kind: 'open' })
  })
})

describe('15.31 after a refused search', () => {
  it('reads the reason and the time', () => {
    const limit = new AppError('provider_limit', undefined, { retryAfterMs: 60_000 })
    expect(accessAfterRefusal(limit, 1_000)).toEqual({ kind: 'paused', untilMs: 61_000 })
    expect(accessAfterRefusal(new AppError('provider_limit'), 1_000)).toEqual({
      kind: 'paused',
      untilMs: null,
    })
    expect(accessAfterRefusal(new AppError('must_reconnect'), 0)).toEqual({ kind: 'must_reconnect' })
    expect(accessAfterRefusal(new AppError('not_connected'), 0)).toEqual({ kind: 'not_connected' })
  })

  it('other failures may be tried again', () => {
    expect(accessAfterRefusal(new AppError('provider_failed'), 0)).toBeNull()
    expect(accessAfterRefusal(new TypeError('broken'), 0)).toBeNull()
    expect(accessAfterRefusal(null, 0)).toBeNull()
  })
})
