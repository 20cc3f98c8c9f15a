import { expect, it } from 'vitest'
import { placeOpusFrom } from './opus-frames.ts'

const rate = 48_000
const toFrames = (ms: number): number => (ms * rate) / 1_000
/** A packet of 20 ms (RFC 6716, 3.1), of which the decoder drops the pre-skip of 6.5 ms. */
const packet = Uint8Array.of(0xfc)
const lengthsMs = [13.5, 20, 20]

function place(statedMs: number[], isMatroska: boolean): number[] {
  const placeOpus = placeOpusFrom(packet, isMatroska)
  return statedMs.map((ms, index) => {
    const sample = { sampleRate: rate, numberOfFrames: toFrames(lengthsMs[index] ?? 0) }
    return (placeOpus(toFrames(ms), sample) * 1_000) / rate
  })
}

it('17.422 Opus whose decoding starts before a gap is placed by the length of its packet', () => {
  expect(place([1_013.5, 1_733.5, 1_753.5], false)).toEqual([1_020, 1_733.5, 1_753.5])
  expect(place([1_001, 1_721, 1_741], true)).toEqual([1_000, 1_713.5, 1_733.5])
})
