import type { RoomOutcome, RoomState } from '@earshot/core/room/room-state'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import type { KyselyPlugin } from 'kysely'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import type { Db } from '../../db/database.ts'
import { openRoom } from '../testing/fixtures.ts'
import { changeRoom, createRoomStore, loadRoomState } from './room-store.ts'

/** Counts the statements that a database runs. */
function countStatements(db: Db): { db: Db; take: () => number } {
  let statements = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements += 1
      return result
    },
  }
  const take = (): number => {
    const taken = statements
    statements = 0
    return taken
  }
  return { db: db.withPlugin(plugin), take }
}

/** Raises the sequence number by what the function returns for it. */
const raiseBy =
  (step: (sequenceNumber: number) => number) =>
  ({ timeline, ...state }: RoomState): RoomOutcome => {
    const by = step(timeline.sequenceNumber)
    const sequenceNumber = timeline.sequenceNumber + by
    return { state: { ...state, timeline: { ...timeline, sequenceNumber } }, changes: by ? ['playback'] : [] }
  }
const raise = raiseBy(() => 1)

describeDatabases('a room that the process knows', (open) => {
  const start = async () => {
    const clock = createFakeClock()
    const counted = countStatements(await open())
    const { id } = await openRoom(counted.db, clock)
    const [own, other] = [createRoomStore(counted.db, clock), createRoomStore(counted.db, clock)]
    const sequenceOf = async (): Promise<number> =>
      (await loadRoomState(counted.db, id)).state.timeline.sequenceNumber
    return { clock, id, own, other, sequenceOf, take: counted.take }
  }

  it('15.60 is changed by one statement, and read again after 30 s', async () => {
    const { clock, id, own, take } = await start()
    await changeRoom(own, id, raise)
    take()
    await changeRoom(own, id, raise)
    await changeRoom(own, id, raise)
    expect(take()).toBe(2)
    clock.advance(30_000)
    await changeRoom(own, id, raise)
    expect(take()).toBeGreaterThan(1)
  })

  it('15.60 is read again where another process changed it: whatever is refused, stored or left alone follows from that', async () => {
    const { id, own, other, sequenceOf } = await start()
    await changeRoom(own, id, raise)
    await changeRoom(other, id, raise)
    expect((await changeRoom(own, id, raise)).state.timeline.sequenceNumber).toBe(3)

    await changeRoom(other, id, raise)
    const refuseBelow = raiseBy((sequenceNumber) => {
      if (sequenceNumber < 4) throw new Error('refused')
      return 1
    })
    expect((await changeRoom(own, id, refuseBelow)).state.timeline.sequenceNumber).toBe(5)

    await changeRoom(other, id, raise)
    const onlyFrom = raiseBy((sequenceNumber) => (sequenceNumber < 6 ? 0 : 1))
    expect((await changeRoom(own, id, onlyFrom)).state.timeline.sequenceNumber).toBe(7)
    await changeRoom(other, id, raise)
    const unchanged = await changeRoom(
      own,
      id,
      raiseBy(() => 0),
    )
    expect(unchanged.state.timeline.sequenceNumber).toBe(8)
    expect(await sequenceOf()).toBe(8)
  })

  it('15.60 is read again where its settings changed, and not found where it is gone', async () => {
    const { id, own, sequenceOf } = await start()
    await changeRoom(own, id, raise)
    const { db } = own
    await db.updateTable('rooms').set({ settings: '{"guests":"invited"}' }).where('id', '=', id).execute()
    const { state } = await changeRoom(own, id, raise)
    expect(state).toMatchObject({ settings: { guests: 'invited' }, timeline: { sequenceNumber: 2 } })
    expect(await sequenceOf()).toBe(2)
    await db.deleteFrom('rooms').where('id', '=', id).execute()
    await expect(changeRoom(own, id, raise)).rejects.toMatchObject({ code: 'room_not_found' })
  })
})
