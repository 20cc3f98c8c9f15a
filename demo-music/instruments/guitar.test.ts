import { expect, it } from 'vitest'
import { toHertz } from '../notation/pitch.ts'
import { createRandom } from '../signal/random.ts'
import { createStereo, sampleRate } from '../signal/stereo.ts'
import { steelGuitar } from './guitar.ts'

/** The strength of one frequency in a second of sound, under a Hann window. */
function measureAt(channel: Float32Array, hertz: number): number {
  let real = 0
  let imaginary = 0
  for (let frame = 0; frame < sampleRate; frame += 1) {
    const window = 1 - Math.cos((2 * Math.PI * frame) / sampleRate)
    const angle = (2 * Math.PI * hertz * frame) / sampleRate
    real += (channel[frame] ?? 0) * window * Math.cos(angle)
    imaginary += (channel[frame] ?? 0) * window * Math.sin(angle)
  }
  return Math.hypot(real, imaginary)
}

it.each([40, 55, 64, 76])('is in tune within five cents at pitch %i', (pitch) => {
  const out = createStereo(sampleRate)
  steelGuitar(out, { at: 0, seconds: 1, pitch, velocity: 0.8 }, createRandom(3))
  const strengths = Array.from({ length: 9 }, (_, index) => {
    const cents = 5 * (index - 4)
    return { cents, strength: measureAt(out.left, toHertz(pitch + cents / 100)) }
  })
  const strongest = strengths.reduce((best, next) => (next.strength > best.strength ? next : best))
  expect(Math.abs(strongest.cents)).toBeLessThanOrEqual(5)
})
