import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../../test/folders.ts'
import { id3v2LengthOf } from '../seekable/audio-packets.ts'
import { readAudioTags } from './audio-tags.ts'
import { openUnpadded } from './padded-tag.ts'

const tone = join(import.meta.dirname, '../../../test/audio/tone.mp3')

/** Writes the MP3 file with padding at the end of its tag, as programs leave it that remove a cover. */
async function writePadded(paddingBytes: number): Promise<string> {
  const bytes = await readFile(tone)
  const length = id3v2LengthOf(bytes)
  const tag = Buffer.concat([bytes.subarray(0, length), Buffer.alloc(paddingBytes)])
  for (const [index, shift] of [21, 14, 7, 0].entries()) tag[6 + index] = ((tag.length - 10) >> shift) & 0x7f
  const path = join(await makeFolder(), 'padded.mp3')
  await writeFile(path, Buffer.concat([tag, bytes.subarray(length)]))
  return path
}

it('10.14b megabytes of padding in a tag take no memory, and change no tag and no duration', async () => {
  const path = await writePadded(3_000_000)
  expect(openUnpadded(path)?.size).toBeLessThan(100_000)
  expect(await readAudioTags(path)).toEqual(await readAudioTags(tone))
})

it('10.14b usual padding is left to the parser', async () => {
  expect(openUnpadded(await writePadded(4_096))).toBe(null)
  expect(openUnpadded(tone)).toBe(null)
})
