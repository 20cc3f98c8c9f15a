import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../../test/folders.ts'
import { longTracks } from '../../../test/long-tracks.ts'
import { readAudioTags } from './audio-tags.ts'

async function writeMp3(name: string, seconds: number): Promise<string> {
  const path = join(await makeFolder(), name)
  longTracks.find((track) => track.name === name)?.write(path, seconds)
  return path
}

it('10.14a the duration of an MP3 file that is cut off is that of its frames, not what its header states', async () => {
  const path = await writeMp3('mp3-vbr-table.mp3', 20)
  const whole = await readAudioTags(path)
  expect(whole.durationMs).toBeGreaterThan(19_000)
  const bytes = await readFile(path)
  await writeFile(path, bytes.subarray(0, Math.floor(bytes.length / 2)))
  const { durationMs } = await readAudioTags(path)
  expect(durationMs).toBeGreaterThan(9_000)
  expect(durationMs).toBeLessThan(11_000)
})

it('10.14a so is that of one behind a tag', async () => {
  const path = await writeMp3('mp3-vbr-table.mp3', 20)
  const bytes = await readFile(path)
  const tag = Buffer.from('ID3\x04\0\0\0\0\x08\0', 'latin1') // 1,024 bytes
  const cut = bytes.subarray(0, Math.floor(bytes.length / 2))
  await writeFile(path, Buffer.concat([tag, Buffer.alloc(1_024), cut]))
  expect((await readAudioTags(path)).durationMs).toBeLessThan(11_000)
})

it('10.14a a whole file keeps the duration of its header', async () => {
  const path = await writeMp3('mp3-vbr-table.mp3', 20)
  const { durationMs } = await readAudioTags(path)
  await rename(path, `${path}.mp3`)
  expect((await readAudioTags(`${path}.mp3`)).durationMs).toBe(durationMs)
})
