import { expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { countCreatedRooms, insertProfile } from '../profiles.ts'
import { roomsCreated } from './034-rooms-created.ts'

describeDatabases('the migration of the created rooms', (open) => {
  it('16.306 counts the rooms that a user owns', async () => {
    const db = await open()
    for (const id of ['owner', 'other'])
      await insertProfile(db, { id, username: id, avatarUrl: null, createdAtMs: 1 })
    const room = {
      owner_id: 'owner',
      is_public: 1,
      password: null,
      preferred_source: 'library',
      settings: '{}',
    }
    const playback = { is_playing: 0, current_position: 0, current_track_id: null, playback_state: '{}' }
    const rest = { last_updated: 1, due_at: null, sequence_number: 0, created_at: 1, controller_id: null }
    for (const id of ['a', 'b'])
      await db
        .insertInto('rooms')
        .values({ id, name: id, search_text: id, ...room, ...playback, ...rest })
        .execute()
    // As the version before this migration left it.
    await db.schema.alterTable('profiles').dropColumn('rooms_created').execute()
    await roomsCreated.up(db)
    expect([await countCreatedRooms(db, 'owner'), await countCreatedRooms(db, 'other')]).toEqual([2, 0])
  })
})
