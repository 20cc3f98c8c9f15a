import { createFilter } from '../signal/filter.ts'
import { createSine } from '../signal/oscillator.ts'
import { changeChannel, sampleRate } from '../signal/stereo.ts'
import type { Curve } from '../signal/curve.ts'
import type { Random } from '../signal/random.ts'
import type { Stereo } from '../signal/stereo.ts'

/** Dust on a record: `perSecond` clicks of very different strength, a little of them on both sides. */
export function addCrackle(out: Stereo, perSecond: number, random: Random): void {
  for (const channel of [out.left, out.right]) {
    const tone = createFilter('band')
    changeChannel(channel, (sample) => {
      const click = random.next() < perSecond / sampleRate ? random.bipolar() * random.next() ** 4 : 0
      return sample + tone(8 * click, 2600, 0.8) + 0.0006 * random.bipolar()
    })
  }
}

/** Noise through a band whose middle and level move: wind, surf, risers. Both sides are independent. */
export function addNoise(out: Stereo, hertz: Curve, level: Curve, q: number, random: Random): void {
  for (const channel of [out.left, out.right]) {
    const tone = createFilter('band')
    changeChannel(channel, (sample, frame) => sample + tone(random.bipolar(), hertz(frame), q) * level(frame))
  }
}

/** A steady sine with a slow swell: the floor of a drone. */
export function addDrone(out: Stereo, hertz: number, level: Curve): void {
  const tones = [createSine(), createSine(0.15)]
  for (const [index, channel] of [out.left, out.right].entries()) {
    const detuned = hertz * (index === 0 ? 0.9992 : 1.0008)
    changeChannel(channel, (sample, frame) => sample + (tones[index]?.(detuned) ?? 0) * level(frame))
  }
}
