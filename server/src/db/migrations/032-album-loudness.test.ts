import { expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { makeFolder } from '../../../test/folders.ts'
import { idOf, writeOldTrack } from '../../../test/music.ts'
import { prepareScans } from '../../../test/scans.ts'
import { findTrack } from '../tracks.ts'
import { albumLoudness } from './032-album-loudness.ts'

describeDatabases('the migration of the loudness of albums', (open) => {
  it('17.485 has the next scan read all files again once, also those that an older process read meanwhile', async () => {
    const db = await open()
    const folder = await makeFolder()
    await writeOldTrack(folder, 'one.wav', {
      title: 'One',
      frames: [
        ['TXXX', 'REPLAYGAIN_TRACK_GAIN\0-7.54 dB'],
        ['TXXX', 'REPLAYGAIN_ALBUM_GAIN\0-6.1 dB'],
      ],
    })
    await prepareScans(db, folder)()
    const id = await idOf(db, 'One')
    // As an older process leaves it: with the change time of the file, and without its gains.
    await db.schema.alterTable('tracks').dropColumn('album_gain_db').execute()
    await db.schema.alterTable('tracks').dropColumn('album_peak').execute()
    await db.schema.alterTable('library_files').dropColumn('tags_version').execute()
    await albumLoudness.up(db)
    expect(await findTrack(db, id)).not.toHaveProperty('album_gain_db')
    const scan = prepareScans(db, folder)
    expect(await scan()).toMatchObject({ storedCount: 1, unchangedCount: 0, missingCount: 0 })
    expect(await findTrack(db, id)).toMatchObject({ gain_db: -7.54, album_gain_db: -6.1 })
    expect(await scan()).toMatchObject({ storedCount: 0, unchangedCount: 1 })
  })
})
