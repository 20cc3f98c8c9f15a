import { describe, expect, it } from 'vitest'
import { learnQuickBytes, sizeRequest } from './request-size.ts'

const kB = 1_024

describe('a request', () => {
  it.each([
    ['a slow line', 16 * kB, 0, 16],
    ['a slow line and much sound', 176 * kB, 0, 88],
    ['a fast line', 16 * kB, 500 * kB, 32],
    ['a fast line and much sound', 176 * kB, 500 * kB, 256],
    ['a line of which little is known', 176 * kB, 100 * kB, 100],
  ])('16.101 on %s, with %i bytes a second, is %s', (_line, bytesPerSecond, quickBytes, expectedKB) => {
    expect(sizeRequest({ bytesPerSecond, isPlaying: true }, quickBytes)).toBe(expectedKB * kB)
  })

  it.each([
    ['a file that has not been understood yet', null, 8],
    ['little sound', 16 * kB, 16],
    ['much sound', 176 * kB, 44],
  ])('10.5d before a track starts, of %s, is as small as can sound', (_what, bytesPerSecond, expectedKB) => {
    expect(sizeRequest({ bytesPerSecond, isPlaying: false }, 500 * kB)).toBe(expectedKB * kB)
  })
})

describe('what the line carries at once', () => {
  const within = (bodyMs: number, totalMs = bodyMs) => ({ bodyMs, totalMs })

  it('16.101 may be twice what has just arrived at once; one slow answer starts anew', () => {
    expect(learnQuickBytes(0, 100, within(9))).toBe(200)
    expect(learnQuickBytes(400, 100, within(9))).toBe(400)
    expect(learnQuickBytes(400, 800, within(15))).toBe(400)
    expect(learnQuickBytes(400, 100, within(21))).toBe(0)
  })

  it('16.101 is unknown where a slow line delivers headers and body together', () => {
    expect(learnQuickBytes(0, 100, within(0, 90))).toBe(200)
    expect(learnQuickBytes(400, 100, within(0, 101))).toBe(0)
  })
})
