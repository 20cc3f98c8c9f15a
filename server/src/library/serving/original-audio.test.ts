import { execFileSync } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeFolder, writeIn } from '../../../test/folders.ts'
import { createOpenFiles } from './open-files.ts'
import { createOriginalAudio, type OriginalAudio } from './original-audio.ts'

interface Opened {
  musicDir: string
  originals: OriginalAudio
  clock: { timeMs: number }
}

async function open(): Promise<Opened> {
  const musicDir = await makeFolder()
  await writeIn(musicDir, 'a.mp3', 'before')
  const openFiles = createOpenFiles()
  onTestFinished(() => openFiles.close())
  const clock = { timeMs: 5_000 }
  return { musicDir, clock, originals: createOriginalAudio(musicDir, openFiles, () => clock.timeMs) }
}

it('16.100 a file is looked for once a second while its ranges are read', async () => {
  const { musicDir, originals, clock } = await open()
  const file = await originals.find('a.mp3')
  await rm(join(musicDir, 'a.mp3'))
  clock.timeMs += 999
  expect(await originals.find('a.mp3', 1_000)).toBe(file)
  clock.timeMs += 1
  expect(await originals.find('a.mp3', 1_000)).toBe(null)
})

it('16.100 a file is looked for at once where its state is asked for', async () => {
  const { musicDir, originals } = await open()
  await originals.find('a.mp3', 1_000)
  await rm(join(musicDir, 'a.mp3'))
  expect(await originals.find('a.mp3')).toBe(null)
})

it('16.100 a file that was replaced before it was read is found anew by the next range', async () => {
  const { musicDir, originals } = await open()
  const before = await originals.find('a.mp3', 1_000)
  await writeIn(musicDir, 'a.mp3', 'afterwards')
  await expect(before?.read(0, 6)).rejects.toThrow('replaced')
  const after = await originals.find('a.mp3', 1_000)
  expect(Buffer.from((await after?.read(0, 10)) ?? []).toString()).toBe('afterwards')
})

it('17.192 a folder or a pipe in the place of a file is not found, and nothing waits for it', async () => {
  const { musicDir, originals } = await open()
  const path = join(musicDir, 'a.mp3')
  await originals.find('a.mp3')
  await rm(path)
  await mkdir(path)
  expect(await originals.find('a.mp3')).toBe(null)
  await rm(path, { recursive: true })
  // Nobody writes to it.
  execFileSync('mkfifo', [path])
  expect(await originals.find('a.mp3')).toBe(null)
})
