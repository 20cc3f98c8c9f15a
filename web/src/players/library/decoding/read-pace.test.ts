import { describe, expect, it } from 'vitest'
import { bytesAhead, pauseForProbes, restAfter, learnLine, sizeRequest } from './read-pace.ts'

const kB = 1_024

describe('a request', () => {
  it.each([
    ['a slow line', 16 * kB, 0, 16],
    ['a slow line and much sound', 176 * kB, 0, 88],
    ['a fast line', 16 * kB, 500 * kB, 32],
    ['a fast line and much sound', 176 * kB, 500 * kB, 256],
    ['a line of which little is known', 176 * kB, 100 * kB, 100],
  ])('16.101 on %s, with %i bytes a second, is %s', (_line, bytesPerSecond, quickBytes, expectedKB) => {
    expect(sizeRequest({ bytesPerSecond, isPlaying: true }, { quickBytes, waitMs: 0 })).toBe(expectedKB * kB)
  })

  it.each([
    ['a file that has not been understood yet', null, 8],
    ['little sound', 16 * kB, 16],
    ['much sound', 176 * kB, 44],
  ])('10.5d before a track starts, of %s, is as small as can sound', (_what, bytesPerSecond, expectedKB) => {
    expect(sizeRequest({ bytesPerSecond, isPlaying: false }, { quickBytes: 500 * kB, waitMs: 0 })).toBe(
      expectedKB * kB,
    )
  })

  it.each([
    ['a lossless track', 100 * kB, true, 400, 130],
    ['a lossless track that has not started', 100 * kB, false, 400, 105],
    ['little sound', 16 * kB, true, 400, 20.8],
    ['24 bit at 96 kHz by satellite', 560 * kB, true, 700, 1_024],
  ])('17.185 far from the server, of %s, brings more than is played while it waits', (...row) => {
    const [, bytesPerSecond, isPlaying, waitMs, expectedKB] = row
    expect(sizeRequest({ bytesPerSecond, isPlaying }, { quickBytes: 0, waitMs })).toBeCloseTo(expectedKB * kB)
    expect((1_000 * expectedKB * kB) / bytesPerSecond).toBeGreaterThan(1.5 * waitMs)
  })
})

describe('what the line carries at once', () => {
  const learn = (quickBytes: number, bytes: number, bodyMs: number, totalMs = bodyMs) =>
    learnLine({ quickBytes, waitMs: Infinity }, bytes, { bodyMs, totalMs, isAlone: true }).quickBytes

  it('16.101 may be twice what has just arrived at once; one slow answer starts anew', () => {
    expect(learn(0, 100, 9)).toBe(200)
    expect(learn(400, 100, 9)).toBe(400)
    expect(learn(400, 800, 15)).toBe(400)
    expect(learn(400, 100, 21)).toBe(0)
  })

  it('16.101 is unknown where a slow line delivers headers and body together', () => {
    expect(learn(0, 100, 0, 90)).toBe(200)
    expect(learn(400, 100, 0, 101)).toBe(0)
  })

  it('17.185 is asked for as far away as the answers come from; one late answer counts little', () => {
    const learnWait = (waitMs: number, tookMs: number, isAlone = true) =>
      learnLine({ quickBytes: 0, waitMs }, 100, { bodyMs: 5, totalMs: 5 + tookMs, isAlone }).waitMs
    expect(learnWait(Infinity, 400)).toBe(400)
    expect(learnWait(400, 380)).toBe(380)
    expect(learnWait(5, 400)).toBe(30)
    expect(learnWait(300, 400)).toBe(400)
  })

  it('17.282 is not taken for further away by an answer that waited behind another request', () => {
    const learnWait = (totalMs: number) =>
      learnLine({ quickBytes: 0, waitMs: 50 }, 100, { bodyMs: 5, totalMs, isAlone: false }).waitMs
    expect(learnWait(2_000)).toBe(50)
    expect(learnWait(25)).toBe(20)
  })
})

/** Half a second of sound, after which the line is left free. */
const rest = (aheadS: number, tookMs: number) => restAfter({ aheadS, soundMs: 500, tookMs })

describe('between two requests the line is left free', () => {
  it.each([
    ['not at all while the next second is missing', 0.9, 100, 0],
    ['as long as the request took, on a line that carries three times the sound', 1, 150, 150],
    ['as long as reading stays 1.5 times as fast as playing, on a slower one', 3, 250, 83],
    ['not at all, on a line that hardly carries the sound', 4.9, 400, 0],
    ['as long as the request took, on any line, once five seconds are there', 5, 400, 400],
    ['as long as reading is 2.5 times as fast as playing, once ten seconds are there', 10, 10, 190],
    ['as long as the request took, where that is longer', 10, 150, 150],
  ])('10.5c %s', (_how, aheadS, tookMs, expectedMs) => {
    expect(rest(aheadS, tookMs)).toBeCloseTo(expectedMs, 0)
  })
})

it('15.52 what the decoder reads for itself counts, so that 24 bit at 96 kHz starts with less than a megabyte', () => {
  const [mp3, flac, wav] = [24_000, 100_000, 576_000].map((rate) => bytesAhead(false, rate))
  expect(mp3).toBeCloseTo(240_000 - 19_200, 0)
  expect(flac).toBeCloseTo(262_144 - 80_000, 0)
  expect(wav).toBe(0)
  expect(bytesAhead(true, 576_000)).toBe(24 * 1024 * 1024)
})

it.each([
  ['on a slow line that carries more than the sound', 1.5, 130, 250],
  ['not before a second and a half is there', 1.4, 130, 0],
  ['not on a fast line', 5, 60, 0],
  ['not on a line that hardly carries the sound', 5, 400, 0],
])('15.52 probes get a free line %s', (_when, aheadS, tookMs, expectedMs) => {
  expect(pauseForProbes({ aheadS, soundMs: 500, tookMs })).toBe(expectedMs)
})
