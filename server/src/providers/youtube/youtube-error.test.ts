import { expect, it } from 'vitest'
import { toYoutubeError } from './youtube-error.ts'

const refusal = (status: number, message: string, more: object = {}) =>
  toYoutubeError({ status, json: { error: { code: status, message, ...more } } }, 'the-key')

it.each([
  [400, 'API key not valid. Please pass a valid API key.', 'key'],
  [403, 'Requests from referer <empty> are blocked.', 'key'],
  [403, 'Requests from this Android client application <empty> are blocked.', 'key'],
  [403, 'YouTube Data API v3 has not been used in project 123 before or it is disabled.', 'key'],
  [403, 'The playlist is private.', 'missing'],
  [403, 'Something new', 'failed'],
  [429, "Quota exceeded for limit 'Search Queries per day'", 'limit'],
  [429, "Quota exceeded for limit 'Queries per minute per user'", 'busy'],
  [403, 'You have exceeded your <a href="/quota">quota</a>.', 'limit'],
] as const)('15.45 recognises a refusal without a reason by its message: %i %s', (status, message, kind) => {
  expect(refusal(status, message).kind).toBe(kind)
})

it('15.45 recognises a refusal by its reason, in both forms', () => {
  expect(refusal(403, '', { errors: [{ reason: 'playlistItemsNotAccessible' }] }).kind).toBe('missing')
  expect(refusal(403, '', { details: [{}, { reason: 'API_KEY_HTTP_REFERRER_BLOCKED' }] }).kind).toBe('key')
  expect(refusal(403, '', { errors: [{ reason: 'quotaExceeded' }] }).kind).toBe('limit')
})

it('15.45 takes a body that is not JSON, and never repeats the key', () => {
  expect(toYoutubeError({ status: 503, json: undefined }, 'the-key').kind).toBe('failed')
  expect(refusal(400, 'Bad: the-key').message).toBe('Bad: ***')
})
