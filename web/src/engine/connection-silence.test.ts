import { describe, expect, it } from 'vitest'
import { isSilent, noteProbe, type Silence } from './connection-silence.ts'

/** The silence after probes that were given up or answered at some instants. */
const after = (probes: { rttMs: number | null; atMs: number }[]): Silence =>
  probes.reduce<Silence>((silence, { rttMs, atMs }) => noteProbe(silence, rttMs, atMs), null)

describe('the silence of a connection', () => {
  it('4.2b is told when probes have no answer for 5 s', () => {
    const silence = after([
      { rttMs: null, atMs: 1_000 },
      { rttMs: null, atMs: 3_500 },
      { rttMs: null, atMs: 6_000 },
    ])
    expect(isSilent(silence, 5_999)).toBe(false)
    expect(isSilent(silence, 6_000)).toBe(true)
  })

  it('ends with an answer', () => {
    const silence = after([
      { rttMs: null, atMs: 1_000 },
      { rttMs: 2_900, atMs: 5_000 },
      { rttMs: null, atMs: 6_000 },
    ])
    expect(isSilent(silence, 10_999)).toBe(false)
  })

  it('is none where a page that was blocked gives up many probes at once', () => {
    const probes = Array.from({ length: 16 }, (_, index) => ({ rttMs: null, atMs: 3_000 + index }))
    expect(isSilent(after(probes), 3_020)).toBe(false)
  })
})
