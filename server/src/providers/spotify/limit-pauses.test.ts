import { describe, expect, it } from 'vitest'
import { createLimitPauses } from './limit-pauses.ts'

const nowMs = 1_700_000_000_000
const quota = JSON.stringify({ error: { status: 429, message: 'x', reason: 'QUOTA_EXCEEDED' } })

function pauseOf(retryAfter: string | null, text = ''): number {
  const headers = new Headers(retryAfter === null ? {} : { 'retry-after': retryAfter })
  return createLimitPauses().add('ann', { status: 429, headers, text }, nowMs) - nowMs
}

describe('a pause', () => {
  it.each([
    ['7', 7_000],
    ['0', 1_000],
    [' 46800 ', 46_800_000],
    ['999999999', 86_400_000],
    [new Date(nowMs + 90_000).toUTCString(), 90_000],
    [new Date(nowMs - 90_000).toUTCString(), 1_000],
    [null, 30_000],
    ['soon', 30_000],
    ['-5', 30_000],
  ])('15.2 for Retry-After %j is bounded', (retryAfter, expected) => {
    expect(pauseOf(retryAfter)).toBe(expected)
  })

  it('15.2 lasts a quarter of an hour for a used up quota, if Spotify does not say', () => {
    expect(pauseOf(null, quota)).toBe(900_000)
    expect(pauseOf('60', quota)).toBe(60_000)
  })

  it('15.2 concerns one user, or everybody for a used up quota', () => {
    const pauses = createLimitPauses()
    const headers = new Headers({ 'retry-after': '10' })
    pauses.add('ann', { status: 429, headers, text: '' }, nowMs)
    expect(pauses.until('ann', nowMs)).toBe(nowMs + 10_000)
    expect(pauses.until('bob', nowMs)).toBeNull()
    expect(pauses.until(null, nowMs)).toBeNull()
    expect(pauses.until('ann', nowMs + 10_000)).toBeNull()
    pauses.add('bob', { status: 429, headers, text: quota }, nowMs)
    for (const user of ['ann', 'bob', null]) expect(pauses.until(user, nowMs)).toBe(nowMs + 10_000)
  })
})
