import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { openRoom } from './testing/fixtures.ts'
import { type Db, engineOf } from '../db/database.ts'
import {
  addListeningTime,
  addRoomListeningTime,
  findListeningTime,
  type Listener,
} from '../db/listening-time.ts'

/** Waits until a statement of the database waits for a lock; on SQLite all others wait for a transaction. */
async function waitForLock(db: Db): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  await vi.waitFor(async () => {
    const { rows } = await sql`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    expect(rows).toHaveLength(1)
  })
}

describeDatabases('listening time', (open) => {
  it('16.164 is counted by two processes at once, in whatever order the members came', async () => {
    const [db, clock] = [await open(), createFakeClock()]
    const [roomId, otherId] = [(await openRoom(db, clock)).id, (await openRoom(db, clock)).id]
    const others = Array.from({ length: 2_000 }, (_, index) => `user ${index}`)
    for (const [room_id, userIds] of [
      [roomId, ['zoe', 'ann']],
      [otherId, others],
    ] as const) {
      const rows = userIds.map((user_id) => ({ user_id, room_id, joined_at: 0 }))
      await db.insertInto('user_rooms').values(rows).execute()
    }
    // Of two members in a room among many, PostgreSQL then reads the first who came first.
    await sql`analyze user_rooms`.execute(db)
    const listener = (userId: string): Listener => ({ userId, source: 'library', sinceMs: 0 })
    await addListeningTime(db, [listener('ann'), listener('zoe')], 1_000)

    let countOfRoom: Promise<unknown> = Promise.resolve()
    await db.transaction().execute(async (process) => {
      await addListeningTime(process, [listener('ann')], 2_000)
      const room = { roomId, source: 'library' as const, sinceMs: 0, untilMs: 3_000 }
      countOfRoom = addRoomListeningTime(db, room, { after: '', limit: 10 })
      await waitForLock(db)
      await addListeningTime(process, [listener('zoe')], 2_000)
    })
    await countOfRoom
    for (const userId of ['ann', 'zoe'])
      expect(await findListeningTime(db, userId)).toMatchObject({ bySource: { library: 3_000 } })
  })
})
