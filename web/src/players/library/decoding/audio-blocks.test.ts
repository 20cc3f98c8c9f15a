import { describe, expect, it } from 'vitest'
import type { DecodedAudio } from './track-decoder.ts'
import { cutBlocks, type AudioBlock } from './audio-blocks.ts'

/** A decoder's output in packets of 20 ms; each sample is the number of its frame. */
async function* decodeRamp(fromFrame: number, untilFrame: number, sampleRate = 48_000, jumpAt = Infinity) {
  const packet = sampleRate / 50
  for (let startFrame = fromFrame; startFrame < untilFrame; startFrame += packet) {
    const shift = startFrame >= jumpAt ? sampleRate : 0
    const channel = Float32Array.from({ length: packet }, (_, index) => startFrame + index)
    yield { startFrame: startFrame + shift, sampleRate, channels: [channel] } satisfies DecodedAudio
    await Promise.resolve()
  }
}

async function* each(sounds: DecodedAudio[]): AsyncGenerator<DecodedAudio> {
  await Promise.resolve()
  yield* sounds
}

async function collect(blocks: AsyncIterable<AudioBlock>): Promise<AudioBlock[]> {
  const all: AudioBlock[] = []
  for await (const block of blocks) all.push(block)
  return all
}

describe('cutBlocks', () => {
  it('begins exactly at the requested frame, without gaps between blocks', async () => {
    const blocks = await collect(cutBlocks(decodeRamp(47_040, 96_000), 48_123, 48_000))
    expect(blocks[0]?.startFrame).toBe(48_123)
    expect(blocks[0]?.samples[0]?.[0]).toBe(48_123)
    expect(blocks.map((block) => block.samples[0]?.[0])).toEqual(blocks.map((block) => block.startFrame))
    const ends = blocks.map((block) => block.startFrame + block.frames)
    expect(blocks.slice(1).map((block) => block.startFrame)).toEqual(ends.slice(0, -1))
    expect(ends.at(-1)).toBe(96_000)
  })

  it('ends each block but the last with the first frame of the next, for interpolation', async () => {
    const blocks = await collect(cutBlocks(decodeRamp(0, 48_000), 0, 48_000))
    expect(blocks.length).toBeGreaterThan(2)
    const followed = blocks.slice(0, -1)
    const lastSamples = followed.map((block) => block.samples[0]?.[block.frames])
    expect(lastSamples).toEqual(blocks.slice(1).map((block) => block.samples[0]?.[0]))
    expect(followed.every((block) => block.samples[0]?.length === block.frames + 1)).toBe(true)
    expect(blocks.at(-1)?.samples[0]?.length).toBe(blocks.at(-1)?.frames)
  })

  it('counts frames at the rate of the context', async () => {
    const blocks = await collect(cutBlocks(decodeRamp(0, 44_100, 44_100), 4_800, 48_000))
    const last = blocks.at(-1)
    expect((last?.startFrame ?? 0) + (last?.frames ?? 0)).toBe(48_000)
    expect(blocks[1]?.samples[0]?.[0]).toBeCloseTo(((blocks[1]?.startFrame ?? 0) * 44_100) / 48_000, 0)
  })

  it('fills a gap in the file with silence', async () => {
    const blocks = await collect(cutBlocks(decodeRamp(0, 9_600, 48_000, 4_800), 0, 48_000))
    const samples = blocks.flatMap((block) => [...(block.samples[0] ?? [])].slice(0, block.frames))
    expect(samples).toHaveLength(9_600 + 48_000)
    expect(samples[4_799]).toBe(4_799)
    expect(samples.slice(4_800, 52_800).every((value) => value === 0)).toBe(true)
    expect(samples[52_800]).toBe(4_800)
  })

  it('17.424 sounds once where packets overlap', async () => {
    const sounds = [
      { startFrame: 0, value: 1 },
      { startFrame: 480, value: 2 },
      { startFrame: 800, value: 3 },
    ].map(({ startFrame, value }) => ({
      startFrame,
      sampleRate: 48_000,
      channels: [new Float32Array(960).fill(value)],
    }))
    const [block] = await collect(cutBlocks(each(sounds), 0, 48_000))
    const expected = [
      { length: 960, value: 1 },
      { length: 480, value: 2 },
      { length: 320, value: 3 },
    ].flatMap(({ length, value }) => Array.from({ length }, () => value))
    expect([...(block?.samples[0] ?? [])]).toEqual(expected)
  })

  it.each([48_000, 44_100])(
    '17.423 silence of hours before and in a track comes block by block (%s Hz)',
    async (toRate) => {
      const hours = 5 * 3_600
      const sound = (startS: number, value: number) => ({
        startFrame: startS * 48_000,
        sampleRate: 48_000,
        channels: [new Float32Array(9_600).fill(value)],
      })
      const middleOf = async (from: number, count: number) => {
        const values: number[] = []
        const sounds = each([sound(hours, 1), sound(2 * hours, 2)])
        for await (const { startFrame, samples, frames } of cutBlocks(sounds, from * toRate, toRate)) {
          expect(startFrame).toBe(from * toRate + values.length * 0.2 * toRate)
          values.push(Math.round(samples[0]?.[frames >> 1] ?? NaN))
          if (values.length === count) break
        }
        return values
      }
      expect(await middleOf(0, 2)).toEqual([0, 0])
      expect(await middleOf(hours - 0.2, 4)).toEqual([0, 1, 0, 0])
      expect(await middleOf(2 * hours - 0.2, 2)).toEqual([0, 2])
    },
  )

  it('17.334 keeps both channels whole where a recording changes between stereo and mono', async () => {
    for (const toRate of [48_000, 44_100]) {
      for (const counts of [
        [2, 1, 2],
        [1, 2, 1],
      ]) {
        const sounds = counts.map((count, index) => ({
          startFrame: index * 4_800,
          sampleRate: 48_000,
          channels: Array.from({ length: count }, () => new Float32Array(4_800).fill(index + 1)),
        }))
        const blocks = await collect(cutBlocks(each(sounds), 0, toRate))
        for (const { samples } of blocks) {
          expect(samples).toHaveLength(counts[0] ?? 0)
          for (const channel of samples) expect(channel).toEqual(samples[0])
        }
        expect(blocks.at(-1)?.samples[0]?.at(-1)).toBeGreaterThan(0.9)
      }
    }
  })

  it('yields nothing past the end', async () => {
    expect(await collect(cutBlocks(decodeRamp(40_000, 48_000), 60_000, 48_000))).toEqual([])
  })
})
