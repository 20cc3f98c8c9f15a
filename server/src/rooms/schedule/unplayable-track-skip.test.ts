import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { makeDataFolder } from '../../../test/databases.ts'
import { openDatabase } from '../../db/database.ts'
import { createEventBus } from '../../events.ts'
import { createMemoryPresence } from '../../presence/presence-memory.ts'
import { createRoomRuntime } from '../room-runtime.ts'
import { startUnplayableTrackSkip } from './unplayable-track-skip.ts'

it('a report about a room that was deleted meanwhile is no error in the log', async () => {
  const db = await openDatabase({ databaseUrl: null, dataDir: await makeDataFolder() })
  onTestFinished(() => db.destroy())
  const lines: string[] = []
  const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const events = createEventBus(logger)
  const clock = createFakeClock()
  const syncReports = { audience: () => ({ roundTripsMs: [], hasElement: false }) }
  const runtime = createRoomRuntime({ db, clock, events, syncReports })
  startUnplayableTrackSkip({ db, logger, events, presence: createMemoryPresence(clock), runtime })
  const unplayable = [{ trackId: 'youtube:v1', reason: 'not_embeddable' as const }]
  await events.emit('tracksUnplayable', { roomId: 'gone', userId: 'ann', unplayable, isRemote: false })
  expect(lines).toEqual([])
})
