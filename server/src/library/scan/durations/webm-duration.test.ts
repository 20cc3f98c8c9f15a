import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../../../test/folders.ts'
import { readWebmDuration } from './webm-duration.ts'

const tone = join(import.meta.dirname, '../../../../test/audio/tone.webm')

async function durationOf(content: Uint8Array): Promise<number | null> {
  const path = join(await makeFolder(), 'recording.webm')
  await writeFile(path, content)
  return readWebmDuration(path)
}

const unknownSize = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
const clusterId = [0x1f, 0x43, 0xb6, 0x75]

/** A cluster as a recorder writes it, of unknown size. */
const cluster = (startMs: number, blocks: number[][]): number[] => {
  const timestamp = Buffer.alloc(4)
  timestamp.writeUInt32BE(startMs)
  return clusterId.concat(unknownSize, [0xe7, 0x84], [...timestamp], blocks.flat())
}
const frame = Array.from({ length: 40 }, (_, index) => index)
const simpleBlock = (ms: number): number[] => [0xa3, 0x80 + 44, 0x81, ms >> 8, ms & 0xff, 0x80, ...frame]
const blockGroup = (ms: number): number[] => [0xa0, 0x80 + 46, 0xa1, ...simpleBlock(ms).slice(1)]

describe('the duration of a WebM file without one', () => {
  it("10.12b is found by the file's last blocks", async () => {
    // 508 ms and the padding of its last packet.
    expect(await readWebmDuration(tone)).toBe(521)
  })

  it('10.12b is found in clusters of unknown size, with either kind of block', async () => {
    const first = cluster(0, [simpleBlock(0), simpleBlock(60)])
    expect(
      await durationOf(Buffer.from([...first, ...cluster(7_200_000, [simpleBlock(0), simpleBlock(60)])])),
    ).toBe(7_200_120)
    expect(
      await durationOf(Buffer.from([...first, ...cluster(9_000, [blockGroup(20), blockGroup(40)])])),
    ).toBe(9_060)
  })

  it('10.12b is found behind the checksum of a cluster', async () => {
    const blocks = cluster(7_000, [simpleBlock(0), simpleBlock(60)]).slice(12)
    const bytes = [...clusterId, ...unknownSize, 0xbf, 0x84, 1, 2, 3, 4, ...blocks]
    expect(await durationOf(Buffer.from(bytes))).toBe(7_120)
  })

  it('10.12b is found where the recording was cut off', async () => {
    const whole = [...cluster(5_000, [simpleBlock(0), simpleBlock(60), simpleBlock(120)])]
    expect(await durationOf(Buffer.from(whole.slice(0, -10)))).toBe(5_120)
    expect(await durationOf(Buffer.from([...whole, ...clusterId]))).toBe(5_180)
    expect(await durationOf(Buffer.from([...whole, ...cluster(9_000, [])]))).toBe(5_180)
  })

  it('10.12b does not take sound that looks like a cluster for one', async () => {
    const whole = cluster(5_000, [simpleBlock(0), simpleBlock(60)])
    whole.splice(-20, 12, ...clusterId, ...unknownSize)
    expect(await durationOf(Buffer.from(whole))).toBe(5_120)
  })

  it('10.12b stays unknown without a block', async () => {
    expect(await durationOf(Buffer.alloc(0))).toBeNull()
    expect(await durationOf(Buffer.alloc(5_000, 0xff))).toBeNull()
    expect(await durationOf((await readFile(tone)).subarray(0, 0x1ec))).toBeNull()
  })
})
