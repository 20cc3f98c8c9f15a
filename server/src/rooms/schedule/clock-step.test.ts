import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it, onTestFinished, vi } from 'vitest'
import { borrowDatabase } from '../../../test/databases.ts'
import { captureLog } from '../../../test/log.ts'
import { createServerClock } from '../../clock/server-clock.ts'
import { createEventBus } from '../../events.ts'
import { createRoomRuntime } from '../room-runtime.ts'
import { noSyncReports, openRoom, storeTracks } from '../testing/fixtures.ts'
import { createClockStep, startFutureStartClamp } from './clock-step.ts'

const hourMs = 3_600_000

it.each([hourMs, -hourMs])(
  '16.49 a step by %i ms moves the clock and every room once, but those that are deleted or broken',
  async (byMs) => {
    const db = await borrowDatabase()
    const { logger, lines } = captureLog('error')
    const timers = createFakeClock()
    const clock = createServerClock({ machineMs: () => 2 * hourMs, elapsedMs: () => 0 })
    const runtime = createRoomRuntime({
      db,
      clock: { ...clock, after: (ms, run) => timers.after(ms, run) },
      events: createEventBus(logger),
      syncReports: noSyncReports,
    })
    await storeTracks(db, ['t1'], 3 * hourMs)
    const rooms = []
    for (let index = 0; index < 4; index += 1) rooms.push((await openRoom(db, clock)).id)
    await db.updateTable('rooms').set({ is_playing: 1, current_track_id: 't1' }).execute()
    const [first, gone, broken, last] = rooms as [string, string, string, string]
    const step = createClockStep({
      db,
      clock,
      logger,
      runtime,
      closeConnections: () => {},
      async claim() {
        await db.deleteFrom('rooms').where('id', '=', gone).execute()
        await db.updateTable('rooms').set({ playback_state: '{' }).where('id', '=', broken).execute()
        return true
      },
    })
    await step(byMs)
    expect(clock.now()).toBe(2 * hourMs + byMs)
    const stored = await db.selectFrom('rooms').select(['id', 'last_updated']).execute()
    expect(new Map(stored.map((row) => [row.id, row.last_updated - 2 * hourMs]))).toEqual(
      new Map([first, broken, last].map((id) => [id, id === broken ? 0 : byMs])),
    )
    expect(lines).toMatchObject([{ roomId: broken }])
  },
)

it('16.208 a start that lies too far ahead is moved by a process whose own clock is right only', async () => {
  const db = await borrowDatabase()
  const { logger } = captureLog('error')
  const timers = createFakeClock()
  const ahead = { ...timers, now: () => timers.now() + 600_000 }
  const runtime = createRoomRuntime({
    db,
    clock: timers,
    events: createEventBus(logger),
    syncReports: noSyncReports,
  })
  await storeTracks(db, ['t1'], hourMs)
  const { id } = await openRoom(db, ahead)
  const timeline = { current_position: 0, timestamp: ahead.now(), is_playing: true, track_id: 't1' }
  const columns = { is_playing: 1, current_track_id: 't1', last_updated: ahead.now() }
  await db
    .updateTable('rooms')
    .set({ ...columns, playback_state: JSON.stringify(timeline) })
    .execute()
  const readStart = async () =>
    (await db.selectFrom('rooms').select('last_updated').where('id', '=', id).executeTakeFirstOrThrow())
      .last_updated
  let isRight = false
  const asked = vi.fn<() => Promise<boolean>>(async () => isRight)
  onTestFinished(startFutureStartClamp({ db, clock: timers, logger, runtime, isClockRight: asked }))
  await vi.waitFor(async () => {
    await timers.advanceAsync(0)
    expect(asked).toHaveBeenCalledOnce()
  })
  const before = timers.now()
  expect(await readStart()).toBe(before + 600_000)
  isRight = true
  await vi.waitFor(async () => {
    await timers.advanceAsync(1_000)
    expect(await readStart()).toBeLessThan(before + 600_000)
  })
})
