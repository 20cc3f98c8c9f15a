import { AppError } from '@earshot/core/protocol/errors'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { toApiProblem, toSpotifyProblem } from './spotify-problem.ts'

const now = 1_795_000_000_000
beforeEach(() => vi.useFakeTimers({ now }))
afterEach(() => vi.useRealTimers())

const errorBody = (message: string, reason?: string) =>
  JSON.stringify({ error: { status: 403, message, reason } })

it('15.27 an accepted call is no problem', () => {
  expect(toApiProblem(204, null, '')).toBeNull()
})

it('15.25 an account without Premium is a reason; a command at the wrong moment is not', () => {
  expect(toApiProblem(403, null, errorBody('Player command failed', 'PREMIUM_REQUIRED'))?.reason).toBe(
    'no_premium',
  )
  const restricted = errorBody('Player command failed: Restriction violated')
  expect(toApiProblem(403, null, restricted)).toMatchObject({ reason: null, isOfTrack: true })
  expect(toApiProblem(401, null, '')?.reason).toBe('not_connected')
  for (const message of ['Insufficient client scope', 'The user may not be registered']) {
    expect(toApiProblem(403, null, errorBody(message))?.reason).toBe('not_connected')
  }
})

it('15.107 a refusal without a known reason may pass, and one for the owner of the app is none of the account', () => {
  const reasonOf = (text: string) => toApiProblem(403, null, text)?.reason
  for (const text of [
    '',
    'Forbidden',
    errorBody('Forbidden'),
    errorBody('Player command failed', 'UNKNOWN'),
  ]) {
    expect([text, reasonOf(text)]).toEqual([text, null])
  }
  const ofOwner = 'Active premium subscription required for the owner of the app.'
  expect([reasonOf(ofOwner), reasonOf(errorBody(ofOwner))]).toEqual(['app_paused', 'app_paused'])
  // A bare sentence, as the gateway answers.
  expect(reasonOf('Check settings on the dashboard, the user may not be registered.')).toBe('not_connected')
  expect(reasonOf(errorBody('Player command failed: Premium required'))).toBe('no_premium')
})

it('15.27 a rate limit states until when, with and without the header', () => {
  expect(toApiProblem(429, 46_800, errorBody('quota', 'QUOTA_EXCEEDED'))?.retryAtMs).toBe(now + 46_800_000)
  expect(toApiProblem(429, null, 'busy')?.retryAtMs).toBe(now + 30_000)
})

it.each(['', 'text', '<html>', 'null', '"text"', '{}', '{"error":"text"}', '{"error":{"message":5}}'])(
  'an answer of any form is described: %j',
  (body) => {
    expect(toApiProblem(500, null, body)).toMatchObject({ message: 'Spotify answered 500', reason: null })
  },
)

it('15.25 a refused token call is a reason where connecting helps', () => {
  for (const code of ['not_connected', 'must_reconnect', 'unauthenticated'] as const) {
    expect(toSpotifyProblem(new AppError(code)).reason).toBe('not_connected')
  }
  const limited = new AppError('provider_limit', 'Later', { retryAfterMs: 5_000 })
  expect(toSpotifyProblem(limited)).toMatchObject({ reason: null, retryAtMs: now + 5_000, message: 'Later' })
  expect(toSpotifyProblem(new TypeError('Failed to fetch'))).toMatchObject({ reason: null })
  expect(toSpotifyProblem('odd').message).toBe('Spotify does not play')
})
