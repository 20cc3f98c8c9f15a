import { describe, expect, it } from 'vitest'
import { isSilent, noteProbe, type Silence } from './server-connection.ts'

/** The silence after a sequence of probes. */
const after = (probes: { rttMs: number | null; atMs: number }[]): Silence =>
  probes.reduce<Silence>((silence, { rttMs, atMs }) => noteProbe(silence, rttMs, atMs), null)

describe('the silence of a connection', () => {
  it('4.2b is detected after 5 s of probes without an answer', () => {
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

  it('is not detected when a blocked page gives up many probes at once', () => {
    const probes = Array.from({ length: 16 }, (_, index) => ({ rttMs: null, atMs: 3_000 + index }))
    expect(isSilent(after(probes), 3_020)).toBe(false)
  })
})
