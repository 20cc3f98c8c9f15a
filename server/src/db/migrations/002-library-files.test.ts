import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { openDatabase } from '../database.ts'
import { findLibraryFile } from '../catalogue/library-files.ts'
import { browseLibraryFiles, searchLibraryFiles } from '../catalogue/library-search.ts'
import { makeFile, makeTrack } from '../testing/library-rows.ts'
import { openFirstVersion } from '../testing/first-version.ts'

describeDatabases('the migration of library files', (_open, make) => {
  it('13.15 keeps the ids of existing tracks, finds them, and takes fingerprints from ids', async () => {
    const options = await make()
    const first = await openFirstVersion(options)
    const tracks = [makeTrack('Blue', 'Ann', 'Sea'), makeTrack('Red', 'Bob', 'Sky')]
    for (const { id, title, artist, album, duration, source } of tracks) {
      await sql`insert into tracks (id, title, artist, album, duration, source, fetched_at)
        values (${id}, ${title}, ${artist}, ${album}, ${duration}, ${source}, 1)`.execute(first)
    }
    const files = [makeFile(tracks[0]!, 'Ann/Sea (Live)/01 Blue.mp3'), makeFile(tracks[1]!, 'red.mp3')]
    for (const [index, file] of files.entries()) {
      const { track_id, path, size, modified_at, mime_type, search_text, sort_text } = file
      await sql`insert into library_files
        values (${track_id}, ${path}, ${size}, ${modified_at}, ${mime_type}, ${index}, null, ${search_text}, ${sort_text})`.execute(
        first,
      )
    }
    await first.destroy()
    const db = await openDatabase(options)
    try {
      expect(await findLibraryFile(db, 'lib_Blue-Ann')).toMatchObject({
        folder: 'Ann/Sea (Live)',
        fingerprint: 'Blue-Ann',
        cover_version: null,
        missing_since: null,
      })
      expect(await findLibraryFile(db, 'lib_Red-Bob')).toMatchObject({ folder: '', cover_version: '' })
      const found = await searchLibraryFiles(db, { phrase: 'sea', words: ['sea'] }, { offset: 0, limit: 9 })
      expect(found).toEqual({ tracks: [tracks[0]], total: 1 })
      expect((await browseLibraryFiles(db, { offset: 0, limit: 9 })).total).toBe(2)
    } finally {
      await db.destroy()
    }
  })
})
