import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { makeFolder } from '../../../test/folders.ts'
import { writeOgg } from '../../../test/long-tracks.ts'
import { createOpenFiles } from '../serving/open-files.ts'
import { createOriginalAudio } from '../serving/original-audio.ts'
import { FileWindow, playedTime } from './audio-packets.ts'
import { box, fullBox, u32 } from './mp4-boxes.ts'
import { readEnds, requireBox } from './mp4-packets.ts'
import { readOggPackets } from './ogg-packets.ts'
import { createSeekableAudio } from './seekable-audio.ts'

/** Reads the MP4 file that is served of a file of half a second. */
async function serve(name: string): Promise<Buffer> {
  const openFiles = createOpenFiles()
  const seekable = createSeekableAudio({
    indexDir: await makeFolder(),
    openFiles,
    logger: pino({ level: 'silent' }),
  })
  onTestFinished(async () => {
    await seekable.close()
    await openFiles.close()
  })
  const originals = createOriginalAudio(join(import.meta.dirname, '../../../test/audio'), openFiles)
  const original = await originals.find(name)
  const mp4 = original && (await seekable.find(name, original))
  if (!mp4) throw new Error(`${name} has no index`)
  const chunks: Buffer[] = []
  for (let at = 0; at < mp4.size; at += chunks.at(-1)?.length ?? mp4.size)
    chunks.push(Buffer.from(await mp4.read(at, mp4.size)))
  return Buffer.concat(chunks)
}

/** Adds up the durations of the packets: of each, its duration and its size follow the head of the run. */
function sumPackets(mp4: Buffer): number {
  const at = mp4.indexOf('trun') + 4
  const count = mp4.readUInt32BE(at + 4)
  let sum = 0
  for (let packet = 0; packet < count; packet += 1) sum += mp4.readUInt32BE(at + 12 + 8 * packet)
  return sum
}

it.each([
  ['tone.mp3', 48_000, 1_105],
  ['tone.m4a', 48_000, 1_024],
  ['tone.opus', 48_000, 312],
  ['tone.ogg', 48_000, 0],
])(
  '17.465 the packets of %s end where its half second of sound does',
  async (name, timescale, encoderDelay) => {
    const mp4 = await serve(name)
    const movie = requireBox(mp4, ['moov'])
    const stated = Number(requireBox(movie, ['mvex', 'mehd']).readBigUInt64BE(4))
    expect(stated).toBe(timescale / 2 + encoderDelay)
    expect(sumPackets(mp4)).toBe(stated)
  },
)

const header = (timescale: number) => u32(0, 0, timescale, 0)
const mdia = box('mdia', fullBox('mdhd', 0, 0, header(44_100)))
const mvhd = fullBox('mvhd', 0, 0, header(1_000))

it("17.465 AAC ends where iTunes' comment says, to the sample, else where the edit does, if that is no rounding", () => {
  const comment = Buffer.from('....iTunSMPB....data 00000000 00000840 000001CA 00000000003F31F6 ', 'latin1')
  const byComment = readEnds(Buffer.concat([mvhd, comment]), mdia)
  expect([byComment.encoderDelay, byComment.endPadding(100_000)]).toEqual([0x840, 0x1ca])

  const edit = (ms: number) => box('edts', fullBox('elst', 0, 0, u32(1, ms, 1_024, 0x10000)))
  const byEdit = readEnds(mvhd, Buffer.concat([mdia, edit(1_000)]))
  expect([byEdit.encoderDelay, byEdit.endPadding(44_100 + 1_024 + 500)]).toEqual([1_024, 500])
  expect(byEdit.endPadding(44_100 + 1_024 + 40)).toBe(0)
})

it('17.465 more than the encoder may add is an error of the file', () => {
  const audio = { timescale: 48_000, encoderDelay: 312 }
  expect(playedTime({ ...audio, endPadding: () => 960 }, 48_000)).toEqual({
    endTime: 47_040,
    duration: 46_728,
  })
  for (const endPadding of [-5, 20_000])
    expect(playedTime({ ...audio, endPadding: () => endPadding }, 48_000).endTime).toBe(48_000)
})

it('17.465 an Ogg file whose beginning was cut off, so that its positions begin late, keeps its end', async () => {
  for (const start of [-2_800, 0]) {
    const path = join(await makeFolder(), 'cut.opus')
    writeOgg(path, 'noise.opus', 2, start)
    const descriptor = openSync(path, 'r')
    onTestFinished(() => closeSync(descriptor))
    const { packets, ...audio } = readOggPackets(new FileWindow(descriptor))
    let totalTime = 0
    for (const { duration } of packets) totalTime += duration
    expect(totalTime).toBeGreaterThan(90_000)
    expect(playedTime(audio, totalTime).endTime).toBe(totalTime)
  }
})
