import { appendFile, readFile, rename, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../../test/folders.ts'
import { longTracks } from '../../../test/long-tracks.ts'
import { readAudioTags } from './audio-tags.ts'

async function writeTrack(name: string, seconds: number): Promise<string> {
  const path = join(await makeFolder(), name)
  longTracks.find((track) => track.name === name)?.write(path, seconds)
  return path
}

it('10.14a the duration of an MP3 file that is cut off is that of its frames, not what its header states', async () => {
  const path = await writeTrack('mp3-vbr-table.mp3', 20)
  const whole = await readAudioTags(path)
  expect(whole.durationMs).toBeGreaterThan(19_000)
  const bytes = await readFile(path)
  await writeFile(path, bytes.subarray(0, Math.floor(bytes.length / 2)))
  const { durationMs } = await readAudioTags(path)
  expect(durationMs).toBeGreaterThan(9_000)
  expect(durationMs).toBeLessThan(11_000)
})

it('10.14a so is that of one behind a tag', async () => {
  const path = await writeTrack('mp3-vbr-table.mp3', 20)
  const bytes = await readFile(path)
  const tag = Buffer.from('ID3\x04\0\0\0\0\x08\0', 'latin1') // 1,024 bytes
  const cut = bytes.subarray(0, Math.floor(bytes.length / 2))
  await writeFile(path, Buffer.concat([tag, Buffer.alloc(1_024), cut]))
  expect((await readAudioTags(path)).durationMs).toBeLessThan(11_000)
})

it('10.14a a whole file keeps the duration of its header', async () => {
  const path = await writeTrack('mp3-vbr-table.mp3', 20)
  const { durationMs } = await readAudioTags(path)
  await rename(path, `${path}.mp3`)
  expect((await readAudioTags(`${path}.mp3`)).durationMs).toBe(durationMs)
})

it.each([
  ['flac-44.flac', 13_000],
  ['flac-24-96.flac', 13_000],
  ['wav-44.wav', 10_000],
  ['wav-24-96.wav', 10_000],
])('15.50 the duration of %s that is cut off is that of its audio', async (name, expectedMs) => {
  const path = await writeTrack(name, 20)
  const { length } = await readFile(path)
  const whole = await readAudioTags(path)
  expect(whole.durationMs).toBeGreaterThan(19_990)
  // A tag at the end is no sound.
  await appendFile(path, Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)]))
  expect((await readAudioTags(path)).durationMs).toBe(whole.durationMs)
  await truncate(path, Math.floor((length * expectedMs) / 20_000))
  const cut = await readAudioTags(path)
  expect(Math.abs((cut.durationMs ?? 0) - expectedMs)).toBeLessThan(100)
})

it('15.50 a WAV file whose recorder did not go back to its header has the duration of its samples', async () => {
  const path = await writeTrack('wav-44.wav', 20)
  const bytes = await readFile(path)
  bytes.writeUInt32LE(0xffffffff, 4)
  bytes.writeUInt32LE(0xffffffff, bytes.indexOf('data') + 4)
  await writeFile(path, bytes)
  expect((await readAudioTags(path)).durationMs).toBe(20_000)
})
