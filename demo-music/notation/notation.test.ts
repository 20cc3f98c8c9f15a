import { describe, expect, it } from 'vitest'
import { createGrid, leadInSeconds } from './grid.ts'
import { writeBass, writeHarmony } from './harmony.ts'
import { parseLine } from './line.ts'

describe('parseLine', () => {
  it('refuses a bar that is not full, a note without a length and a note that does not exist', () => {
    expect(parseLine('C4:8 -:4 E4!:4 | F4:16')).toHaveLength(3)
    expect(() => parseLine('C4:8 D4:4 | E4:16')).toThrow(/misplaced/)
    expect(() => parseLine('C4')).toThrow(/no length/)
    expect(() => parseLine('H4:4')).toThrow(/No note/)
  })
})

describe('createGrid', () => {
  it('delays the second sixteenth of a pair by the swing, and slow bars move what follows', () => {
    const grid = createGrid({ tempo: 60, bars: 2, swing: 0.6, pace: (bar) => (bar === 0 ? 0.5 : 1) })
    const seconds = (bar: number, step?: number) => grid.at(bar, step) - leadInSeconds
    expect(seconds(0, 1)).toBeCloseTo(0.6)
    expect(seconds(0, 2)).toBeCloseTo(1)
    expect(seconds(1)).toBeCloseTo(8)
    expect(seconds(1, 4)).toBeCloseTo(9)
  })
})

describe('writeHarmony', () => {
  const grid = createGrid({ tempo: 60, bars: 3 })
  const harmony = writeHarmony(grid, 'a..', { a: 'C:16 | F:16 | G/B:16' }, { low: 55, high: 76 })

  it('keeps common notes and moves the others by a step', () => {
    const [first = [], second = []] = harmony.map(({ voices }) => voices)
    expect(first.filter((pitch) => second.includes(pitch))).toHaveLength(1)
    const moves = second.map((pitch) => Math.min(...first.map((other) => Math.abs(other - pitch))))
    expect(Math.max(...moves)).toBeLessThanOrEqual(2)
  })

  it('puts the slash note into the bass', () => {
    const notes = writeBass(grid, harmony, '..a', { a: '1---5---8---....' }, 36)
    expect(notes.map(({ pitch }) => pitch)).toEqual([47, 50, 59])
  })
})
