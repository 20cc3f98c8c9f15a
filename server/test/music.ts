import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Db } from '../src/db/database.ts'
import { browseLibraryFiles } from '../src/db/catalogue/library-search.ts'
import { writeIn } from './folders.ts'
import { makeWav, type WavOptions } from './wav.ts'

/** A small audio file that looks as if it had been there for long. */
export async function writeOldTrack(folder: string, path: string, options: WavOptions = {}): Promise<void> {
  await writeIn(folder, path, makeWav(options))
  await makeOld(join(folder, path))
}

/** As if a file had last been written to long ago. */
export async function makeOld(path: string): Promise<void> {
  await utimes(path, 1_700_000_000, 1_700_000_000)
}

/** The titles in the library, in order of the alphabet. */
export async function titlesOf(db: Db): Promise<string[]> {
  const { tracks } = await browseLibraryFiles(db, { offset: 0, limit: 1_000 })
  return tracks.map((track) => track.title).toSorted()
}

/** The id of the track in the library that has a title. */
export async function idOf(db: Db, title: string): Promise<string> {
  const { tracks } = await browseLibraryFiles(db, { offset: 0, limit: 1_000 })
  const track = tracks.find((candidate) => candidate.title === title)
  expect(track).toBeDefined()
  return track!.id
}
