import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { makeFolder } from '../../../test/folders.ts'
import { createOpenFiles } from '../serving/open-files.ts'
import { createOriginalAudio } from '../serving/original-audio.ts'
import { createSeekableAudio } from './seekable-audio.ts'

it('15.134 a file is played as it is for a minute where 20 files wait to be indexed, however often it is asked for', async () => {
  const [musicDir, indexDir] = [await makeFolder(), await makeFolder()]
  const openFiles = createOpenFiles()
  onTestFinished(() => openFiles.close())
  const originals = createOriginalAudio(musicDir, openFiles)
  const seekable = createSeekableAudio({ indexDir, openFiles, logger: pino({ level: 'silent' }) })
  onTestFinished(() => seekable.close())
  const names = Array.from({ length: 60 }, (_, index) => `${index}.mp3`)
  const tone = join(import.meta.dirname, '../../../test/audio/tone.mp3')
  for (const name of names) await copyFile(tone, join(musicDir, name))
  // Found before, so that all are asked for before a file is indexed, however busy the disk is.
  const files = await Promise.all(names.map(async (name) => ({ name, file: (await originals.find(name))! })))
  const ask = async ({ name, file }: (typeof files)[number]): Promise<boolean> =>
    (await seekable.find(name, file)) !== null

  const first = await Promise.all([...files, ...files].map(ask))
  const indexedCount = first.filter(Boolean).length / 2
  expect(indexedCount).toBeGreaterThanOrEqual(20)
  expect(indexedCount).toBeLessThanOrEqual(22)
  expect(await Promise.all(files.map(ask))).toEqual(first.slice(0, 60))
  expect(await readdir(indexDir)).toHaveLength(indexedCount)
})
