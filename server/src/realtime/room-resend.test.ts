import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { Server } from 'socket.io'
import { expect, it } from 'vitest'
import { borrowDatabase, holdResults } from '../../test/databases.ts'
import { captureLog } from '../../test/log.ts'
import { createEventBus } from '../events.ts'
import { createMemoryPresence } from '../presence/presence-memory.ts'
import { channelOf } from './room-channels.ts'
import { startRoomResend } from './room-resend.ts'
import type { RoomServer } from './room-sockets.ts'

it('16.311 closing waits for rooms that are sent again, and tries none once more that failed', async () => {
  const [clock, io, { logger, lines }] = [createFakeClock(), new Server(), captureLog('warn')]
  const read = Promise.withResolvers<void>()
  const db = holdResults(await borrowDatabase(), read.promise)
  const events = createEventBus(logger)
  void io.sockets.adapter.addAll('socket', new Set([channelOf('room')]))
  const stop = startRoomResend({
    io: io as unknown as RoomServer,
    db,
    clock,
    logger,
    events,
    presence: createMemoryPresence(clock),
    wholeQueues: { sendStored: () => undefined },
  })
  void events.emit('broadcastsMissed', { sinceMs: clock.now(), by: 'here' })
  let isStopped = false
  const stopped = stop().then(() => (isStopped = true))
  await clock.advanceAsync(0)
  expect(isStopped).toBe(false)
  read.reject(new Error('the database is away'))
  await stopped
  expect(lines).toMatchObject([{ msg: 'Could not send rooms again; retrying in 5 s' }])
  expect(clock.pending).toBe(0)
})
