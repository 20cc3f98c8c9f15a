import { expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { makeFolder } from '../../../test/folders.ts'
import { idOf, writeOldTrack } from '../../../test/music.ts'
import { prepareScans } from '../../../test/scans.ts'
import { findTrack } from '../tracks.ts'
import { trackLoudness } from './031-track-loudness.ts'
import { albumLoudness } from './032-album-loudness.ts'

describeDatabases('the migration of the loudness of tracks', (open) => {
  it('17.485 has the next scan read the loudness of files that were scanned before, once', async () => {
    const db = await open()
    const folder = await makeFolder()
    await writeOldTrack(folder, 'one.wav', {
      title: 'One',
      frames: [
        ['TXXX', 'REPLAYGAIN_TRACK_GAIN\0-7.54 dB'],
        ['TXXX', 'REPLAYGAIN_TRACK_PEAK\x000.988553'],
      ],
    })
    await prepareScans(db, folder)()
    const id = await idOf(db, 'One')
    // As the version before this migration left it. The columns of later ones go, too: Node's SQLite keeps the names of the
    // columns that a statement had in their order.
    for (const column of ['gain_db', 'peak', 'album_gain_db', 'album_peak'] as const)
      await db.schema.alterTable('tracks').dropColumn(column).execute()
    await db.schema.alterTable('library_files').dropColumn('tags_version').execute()
    await trackLoudness.up(db)
    await albumLoudness.up(db)
    expect(await findTrack(db, id)).not.toHaveProperty('gain_db')
    const scan = prepareScans(db, folder)
    expect(await scan()).toMatchObject({ storedCount: 1, unchangedCount: 0, missingCount: 0 })
    expect(await findTrack(db, id)).toMatchObject({ title: 'One', gain_db: -7.54, peak: 0.988553 })
    expect(await scan()).toMatchObject({ storedCount: 0, unchangedCount: 1 })
  })
})
