import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createHat } from '../drums/cymbals.ts'
import { feltPiano } from '../instruments/felt-piano.ts'
import { steelGuitar } from '../instruments/guitar.ts'
import { placeLine } from '../notation/arrangement.ts'
import { createGrid } from '../notation/grid.ts'
import { parseLine } from '../notation/line.ts'
import { createRandom } from '../signal/random.ts'
import { changeChannel, createStereo, findPeak, fromDecibels, sampleRate } from '../signal/stereo.ts'
import { limitPeaks } from './limiter.ts'
import { measureLoudness } from './loudness.ts'
import { toPcm } from './pcm.ts'
import { renderScore } from './render-score.ts'
import type { Score } from '../score/score.ts'

const grid = createGrid({ tempo: 120, bars: 2, swing: 0.58 })

/** Chance everywhere: in the strings, the hammer, the hat and the timing. */
function writeSketch(title: string): Score {
  return {
    title,
    genre: 'Sketch',
    seconds: 4,
    room: {
      reverb: { seconds: 1, size: 0.6, predelaySeconds: 0.01, dampHertz: 5000, floorHertz: 200 },
      echo: { seconds: 0.3, feedback: 0.4, floorHertz: 300, ceilingHertz: 4000 },
    },
    fades: { in: 0.05, out: 1 },
    compose(desk) {
      const notes = placeLine(grid, 0, parseLine('C4+E4+G4:8 A4:4 G4:4 | E4:16'))
      const strip = { loudness: -20, reverb: 0.3, echo: 0.2, looseness: 0.01 }
      desk.play({ ...strip, name: 'guitar' }, steelGuitar, notes)
      desk.play({ ...strip, name: 'piano' }, feltPiano, notes)
      desk.play(
        { ...strip, name: 'hat', loudness: -32 },
        createHat({ seconds: 0.1, hertz: 7000, metal: 0.5 }),
        notes,
      )
    },
  }
}

function hashSketch(title: string): string {
  return createHash('sha256')
    .update(toPcm(renderScore(writeSketch(title))))
    .digest('hex')
}

const renderMs = 30_000

describe('a finished piece', { timeout: renderMs }, () => {
  it('is the same to the last bit every time, and another one under another title', () => {
    const hash = hashSketch('One')
    expect(hashSketch('One')).toBe(hash)
    expect(hashSketch('Two')).not.toBe(hash)
  })

  it('has its loudness, stays below -2.9 dBFS and goes from silence to silence', () => {
    const sound = renderScore(writeSketch('One'))
    expect(Math.abs(measureLoudness(sound) + 16)).toBeLessThan(1)
    expect(findPeak(sound)).toBeLessThan(fromDecibels(-2.9))
    for (const channel of [sound.left, sound.right]) {
      expect(channel.every(Number.isFinite)).toBe(true)
      expect([Math.abs(channel[0]!), Math.abs(channel.at(-1)!)]).toEqual([0, 0])
    }
  })
})

describe('limitPeaks', () => {
  it('holds the ceiling against noise far above it and leaves quiet sound alone', () => {
    const random = createRandom(1)
    const sound = createStereo(sampleRate * 2)
    const levelAt = (frame: number) => (frame < sampleRate ? 0.3 : 6)
    changeChannel(sound.left, (_, frame) => random.bipolar() * levelAt(frame))
    changeChannel(sound.right, (_, frame) => random.bipolar() * levelAt(frame))
    const quiet = sound.left.slice(0, sampleRate / 2)
    limitPeaks(sound, 0.8)
    expect(findPeak(sound)).toBeLessThanOrEqual(Math.fround(0.8))
    expect(sound.left.slice(0, sampleRate / 2)).toEqual(quiet)
  })
})

describe('measureLoudness', () => {
  it('is -23 LUFS for the sine of EBU Tech 3341, case 1', () => {
    const sound = createStereo(sampleRate * 20)
    const sine = (_: number, frame: number) =>
      fromDecibels(-23) * Math.sin((2 * Math.PI * 1000 * frame) / sampleRate)
    changeChannel(sound.left, sine)
    changeChannel(sound.right, sine)
    expect(measureLoudness(sound)).toBeCloseTo(-23, 1)
  })
})
