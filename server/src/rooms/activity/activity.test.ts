import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { borrowDatabase, holdResults } from '../../../test/databases.ts'
import { createEventBus } from '../../events.ts'
import { serverLimits } from '../../server-limits.ts'
import { startActivity } from './activity.ts'

it('16.311 closing waits for the activity that is being sent', async () => {
  const [clock, logger, read] = [createFakeClock(), pino({ level: 'error' }), Promise.withResolvers<void>()]
  const db = holdResults(await borrowDatabase(), read.promise)
  const events = createEventBus(logger)
  const sent: string[] = []
  events.on('activityHappened', ({ activity }) => void sent.push(activity.kind))
  const stop = startActivity({ db, clock, logger, events })
  const member = { id: 'ann', username: 'ann', avatar_url: null, is_owner: false }
  await events.emit('memberJoined', { roomId: 'room', member, isBack: false })
  clock.advance(serverLimits.activityBatchMs)
  let isStopped = false
  const stopped = stop().then(() => (isStopped = true))
  await clock.advanceAsync(0)
  expect(isStopped).toBe(false)
  read.resolve()
  await stopped
  expect(sent).toEqual(['joined'])
})
