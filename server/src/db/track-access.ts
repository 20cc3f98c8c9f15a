import type { Db } from './database.ts'

/** Whether the track is the current one or queued in a room that the user is in. */
export async function isTrackInRoomOf(db: Db, userId: string, trackId: string): Promise<boolean> {
  const row = await db
    .selectFrom('user_rooms')
    .innerJoin('rooms', 'rooms.id', 'user_rooms.room_id')
    .select('rooms.id')
    .where('user_rooms.user_id', '=', userId)
    .where((eb) =>
      eb.or([
        eb('rooms.current_track_id', '=', trackId),
        eb.exists(
          eb
            .selectFrom('room_tracks')
            .select('room_tracks.entry_id')
            .whereRef('room_tracks.room_id', '=', 'rooms.id')
            .where('room_tracks.track_id', '=', trackId),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the track is the current one of a room that everybody may see. */
export async function isTrackPublic(db: Db, trackId: string): Promise<boolean> {
  const row = await db
    .selectFrom('rooms')
    .select('id')
    .where('current_track_id', '=', trackId)
    .where('is_public', '=', 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
