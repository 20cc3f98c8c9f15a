import type { UnplayableReason } from '@earshot/core/protocol/providers'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { borrowDatabase } from '../../../test/databases.ts'
import { createEventBus } from '../../events.ts'
import { createMemoryPresence } from '../../presence/presence-memory.ts'
import { createRoomRuntime } from '../room-runtime.ts'
import { noSyncReports, openRoom, storeTracks } from '../testing/fixtures.ts'
import { startUnplayableTrackSkip } from './unplayable-track-skip.ts'

async function start() {
  const opened = await borrowDatabase()
  let statements = 0
  const db = opened.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements += 1
      return result
    },
  })
  const lines: string[] = []
  const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const events = createEventBus(logger)
  const clock = createFakeClock()
  const runtime = createRoomRuntime({ db, clock, events, syncReports: noSyncReports })
  startUnplayableTrackSkip({ db, logger, events, presence: createMemoryPresence(clock), runtime })
  const report = (roomId: string, userId: string, reason: UnplayableReason = 'not_embeddable') =>
    events.emit('tracksUnplayable', {
      roomId,
      userId,
      unplayable: [{ trackId: 'youtube:v1', reason }],
      isRemote: false,
    })
  return { db, clock, report, lines, statements: () => statements }
}

it('a report about a room that was deleted meanwhile is no error in the log', async () => {
  const { report, lines, statements } = await start()
  await report('gone', 'ann')
  expect(statements()).toBe(1)
  expect(lines).toEqual([])
})

it('16.160 reports that come at once share a check, which reads the room without its queue', async () => {
  const { db, clock, report, statements } = await start()
  const room = await openRoom(db, clock)
  await storeTracks(db, ['youtube:v2'])
  await db.updateTable('rooms').set({ current_track_id: 'youtube:v2' }).where('id', '=', room.id).execute()
  const before = statements()
  await Promise.all(Array.from({ length: 20 }, (_, index) => report(room.id, `user-${index}`)))
  // That of the first, and one for all that came during it.
  expect(statements() - before).toBe(2)
})
