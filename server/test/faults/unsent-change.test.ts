import { reduceRoom } from '@earshot/core/room/reduce-room'
import type { RoomOutcome, RoomState } from '@earshot/core/room/room-state'
import { expect, it } from 'vitest'
import { changeRoom, createRoomStore } from '../../src/rooms/store/room-store.ts'
import { createServerClock } from '../../src/clock/server-clock.ts'
import { insertMessage } from '../../src/db/messages.ts'
import { newSortableId } from '../../src/ids.ts'
import { openSpreadRoom, openTestDatabase, startCluster } from './cluster.ts'

it('15.57, 15.63 what a process stored and could not send before it died reaches the members on the others within 15 s', async () => {
  const cluster = await startCluster()
  const [dying] = cluster.servers
  const { roomId, owner, ann, ben } = await openSpreadRoom(cluster)
  // Otherwise the first track of the room starts by itself meanwhile, with a later number.
  await owner.ask('direct_command', { roomId, command: 'pause' })
  for (const client of [ann, ben]) {
    await client.hear('playback_updated', ({ state: heard }) => heard.command === 'pause')
    client.forget()
  }

  // A process that dies right after the commit has done this and no more.
  const clock = createServerClock()
  const context = {
    actor: { kind: 'user', id: owner.user.id, isMember: true },
    nowMs: clock.now(),
    leadMs: 0,
  } as const
  const change = (state: RoomState): RoomOutcome => {
    const played = reduceRoom(state, { type: 'play' }, context)
    const cleared = reduceRoom(played.state, { type: 'clear_queue' }, context)
    return { state: cleared.state, changes: ['playback', 'queue'] }
  }
  const db = await openTestDatabase(cluster.options)
  const { state, queueVersion } = await changeRoom(createRoomStore(db, clock), roomId, change)
  const message = {
    id: newSortableId(clock.now()),
    room_id: roomId,
    user_id: owner.user.id,
    content: 'unsent',
  }
  await insertMessage(db, { ...message, created_at: Math.round(clock.now()), client_message_id: null })
  await db.updateTable('rooms').set({ name: 'Unsent' }).where('id', '=', roomId).execute()
  await dying.kill()
  const killedAtMs = performance.now()

  const { sequenceNumber } = state.timeline
  for (const client of [ann, ben]) {
    await client.hear('playback_updated', ({ state: heard }) => heard.sequence_number === sequenceNumber)
    await client.hear('message', ({ message: heard }) => heard.content === 'unsent')
    await client.hear('roomUpdate', ({ room }) => room.name === 'Unsent')
  }
  expect(performance.now() - killedAtMs).toBeLessThan(15_000)
  // The page that follows differences learns that it lacks one, and asks; the others get the whole queue.
  expect(await ann.hear('queueDelta')).toMatchObject({ baseVersion: queueVersion, version: queueVersion })
  expect(await ben.hear('queueUpdate')).toMatchObject({ version: queueVersion, queue: [] })
})
