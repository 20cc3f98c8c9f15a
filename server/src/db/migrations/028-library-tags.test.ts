import { expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { makeFolder } from '../../../test/folders.ts'
import { idOf, writeOldTrack } from '../../../test/music.ts'
import { prepareScans } from '../../../test/scans.ts'
import { listAlbumsByTitle } from '../catalogue/library-browse.ts'
import { findTrack } from '../tracks.ts'
import { libraryTags } from './028-library-tags.ts'

describeDatabases('the migration of library tags', (open) => {
  it('15.135 has the next scan read all files again once, which keep their ids', async () => {
    const db = await open()
    const folder = await makeFolder()
    const tags = { artist: 'Jay\u2010Z', album: 'Blue', date: '25.12.1999' }
    await writeOldTrack(folder, 'one.wav', { ...tags, title: 'One' })
    await prepareScans(db, folder)()
    const id = await idOf(db, 'One')
    // As the version before this migration left it.
    await db.updateTable('tracks').set({ artist: 'Old' }).where('id', '=', id).execute()
    await db.updateTable('library_albums').set({ year: 25, release_text: '0025\nblue\njay-z' }).execute()
    await db.schema.alterTable('library_files').dropColumn('changed_at').execute()
    await libraryTags.up(db)
    expect(await listAlbumsByTitle(db, { after: null, limit: 9 })).toMatchObject([
      { year: null, release_text: '9999\nblue\njay-z' },
    ])
    const scan = prepareScans(db, folder)
    expect(await scan()).toMatchObject({ storedCount: 1, unchangedCount: 0, missingCount: 0 })
    expect(await findTrack(db, id)).toMatchObject({ title: 'One', artist: 'Jay\u2010Z' })
    expect(await listAlbumsByTitle(db, { after: null, limit: 9 })).toMatchObject([{ year: 1999 }])
    expect(await scan()).toMatchObject({ storedCount: 0, unchangedCount: 1 })
  })

  it('15.119 folds the names of rooms anew', async () => {
    const db = await open()
    const name = 'Jay\u2010Z “أحمد” \u0645\u064f\u062fة'
    const room = { id: 'r', name, owner_id: 'ann', is_public: 1, password: null, preferred_source: 'library' }
    const playback = {
      is_playing: 0,
      current_position: 0,
      last_updated: 0,
      current_track_id: null,
      due_at: null,
    }
    const rest = {
      sequence_number: 0,
      playback_state: '{}',
      created_at: 1,
      settings: '{}',
      controller_id: null,
    }
    const search = { search_text: name.toLowerCase(), listeners: 0 }
    await db
      .insertInto('rooms')
      .values({ ...room, ...playback, ...rest, ...search })
      .execute()
    await db.schema.alterTable('library_files').dropColumn('changed_at').execute()
    await libraryTags.up(db)
    const [folded] = await db.selectFrom('rooms').select('search_text').execute()
    expect(folded?.search_text).toBe('jay-z احمد مده')
  })
})
