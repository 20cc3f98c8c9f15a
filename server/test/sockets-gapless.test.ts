import { createFakeClock, type FakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it, vi } from 'vitest'
import { loadRoomState } from '../src/rooms/store/room-store.ts'
import { startApp } from './apps.ts'
import { makeFolder } from './folders.ts'
import { type TestClient, type TestRoom, connect, joinAs, openJoinedRoom, storeTracks } from './sockets.ts'
import { startTwo } from './two-servers.ts'

/** The lead of 120 ms, and the time to store and send a start. */
const aheadMs = 220
/** Of the second track. */
const nextId = 't2'

interface PlayingRoom extends TestRoom {
  sequenceNumber: number
  endMs: number
}

async function playFirst(room: TestRoom): Promise<PlayingRoom> {
  const { state } = await room.owner.ask('direct_command', { roomId: room.id, command: 'play' })
  expect(state).toMatchObject({ track_id: 't1', is_playing: true })
  return { ...room, sequenceNumber: state.sequence_number, endMs: state.timestamp + state.duration }
}

const reportNext = (client: TestClient, room: PlayingRoom, trackId = nextId) =>
  client.ask('track_ready', { roomId: room.id, trackId, sequenceNumber: room.sequenceNumber, isNext: true })

const readState = async (client: TestClient, { id: roomId }: TestRoom) =>
  (await client.ask('request_sync', { roomId })).state

/** Lets the process look at the end from afar, and then up close. */
function advanceTo(clock: FakeClock, atMs: number): void {
  clock.advance(atMs - clock.now())
}

async function openPlayingRoom() {
  const clock = createFakeClock()
  const app = await startApp({ clock })
  const room = await playFirst(await openJoinedRoom(app, { durationMs: 10_000 }))
  return { clock, app, room, listener: await joinAs(app, room.id, 'listener') }
}

it('17.462 a track that all have loaded starts ahead of time, for the very end of the one before', async () => {
  const { clock, room, listener } = await openPlayingRoom()
  await reportNext(room.owner, room)
  await reportNext(listener, room)
  advanceTo(clock, room.endMs - aheadMs - 1)
  expect(await readState(listener, room)).toMatchObject({ track_id: 't1', is_playing: true })
  clock.advance(1)
  const { state } = await listener.hear('playback_updated', (heard) => heard.state.track_id === nextId)
  expect(state).toMatchObject({ is_playing: true, cueing: false, current_position: 0 })
  expect(state.timestamp).toBe(room.endMs)
  await listener.hear('direct_command', (heard) => heard.sequence_number === state.sequence_number)
  expect((await listener.ask('request_sync', { roomId: room.id })).queue.map(({ id }) => id)).toEqual(['t3'])
  // The end of the first track is no end of the second.
  clock.advance(aheadMs + 1_000)
  expect(await readState(listener, room)).toMatchObject({ track_id: nextId, timestamp: room.endMs })
})

it('17.462 a track that one has not loaded is cued at the end, and starts once all have', async () => {
  const { clock, room, listener } = await openPlayingRoom()
  await reportNext(room.owner, room)
  await reportNext(listener, room, 't3')
  advanceTo(clock, room.endMs - 1)
  expect(await readState(listener, room)).toMatchObject({ track_id: 't1', is_playing: true })
  clock.advance(1)
  const cue = await listener.hear('playback_updated', (heard) => heard.state.cueing === true)
  const { sequence_number: sequenceNumber } = cue.state
  for (const client of [room.owner, listener])
    await client.ask('track_ready', { roomId: room.id, trackId: nextId, sequenceNumber })
  await listener.hear('playback_updated', ({ state }) => state.is_playing && state.track_id === nextId)
})

it('17.462 what was loaded counts no more when another track is first by then', async () => {
  const { clock, room, listener } = await openPlayingRoom()
  for (const client of [room.owner, listener]) await reportNext(client, room)
  const { queue } = await listener.ask('request_sync', { roomId: room.id })
  const command = { type: 'move', entryId: queue[1]?.entry_id, index: 0 }
  await room.owner.ask('queue_command', { roomId: room.id, command, commandId: 'move' })
  advanceTo(clock, room.endMs - 1)
  expect(await readState(listener, room)).toMatchObject({ track_id: 't1', is_playing: true })
})

it('17.462 nobody starts ahead of time where a listener has an audio element, which cannot', async () => {
  const { clock, room, listener } = await openPlayingRoom()
  const report = { roomId: room.id, errorMs: 0, cause: 'in_sync', rttMs: 1, player: 'element' } as const
  await listener.ask('sync_report', report)
  for (const client of [room.owner, listener]) await reportNext(client, room)
  advanceTo(clock, room.endMs - 1)
  expect(await readState(listener, room)).toMatchObject({ track_id: 't1', is_playing: true })
})

it('17.462 what was loaded for an earlier turn counts no more', async () => {
  const { clock, room, listener } = await openPlayingRoom()
  for (const client of [room.owner, listener]) await reportNext(client, { ...room, sequenceNumber: 1 })
  advanceTo(clock, room.endMs - 1)
  expect(await readState(listener, room)).toMatchObject({ track_id: 't1', is_playing: true })
})

it('17.462 a track that is shorter than the lead begins before the next one is started', async () => {
  const clock = createFakeClock()
  const app = await startApp({ clock })
  const opened = await openJoinedRoom(app, { durationMs: 1_000 })
  const listener = await joinAs(app, opened.id, 'listener')
  for (const client of [opened.owner, listener])
    await client.ask('sync_report', { roomId: opened.id, errorMs: 0, cause: 'in_sync', rttMs: 1_800 })
  const room = await playFirst(opened)
  for (const client of [room.owner, listener]) await reportNext(client, room)
  advanceTo(clock, room.endMs - 1_001)
  expect(await readState(listener, room)).toMatchObject({ track_id: 't1' })
  clock.advance(1)
  const { state } = await listener.hear('playback_updated', (heard) => heard.state.track_id === nextId)
  expect(state.timestamp).toBe(clock.now() + 2_800)
})

async function skip(room: PlayingRoom) {
  const { state } = await room.owner.ask('direct_command', { roomId: room.id, command: 'next' })
  return state
}

it('17.438 Next starts a track that all have loaded 0.1 s and a lead later, also for clients that follow only commands', async () => {
  const { clock, room, listener } = await openPlayingRoom()
  for (const client of [room.owner, listener]) await reportNext(client, room)
  clock.advance(2_000)
  expect(await skip(room)).toMatchObject({
    track_id: nextId,
    is_playing: true,
    cueing: false,
    current_position: 0,
    timestamp: clock.now() + 220,
  })
  const { state } = await listener.hear('playback_updated', (heard) => heard.state.track_id === nextId)
  expect(state).toMatchObject({ command: 'next', is_playing: true })
  await listener.hear('direct_command', (heard) => heard.sequence_number === state.sequence_number)
})

it('17.438 Next cues a track that one has not loaded, or that is not the next one any more', async () => {
  const { clock, room, listener } = await openPlayingRoom()
  await reportNext(room.owner, room)
  clock.advance(2_000)
  expect(await skip(room)).toMatchObject({ track_id: nextId, is_playing: false, cueing: true })
  const other = await openPlayingRoom()
  for (const client of [other.room.owner, other.listener]) await reportNext(client, other.room, 't3')
  other.clock.advance(2_000)
  expect(await skip(other.room)).toMatchObject({ track_id: nextId, is_playing: false, cueing: true })
  await listener.hear('playback_updated', (heard) => heard.state.track_id === nextId)
})

it('17.438 votes start it in the same way', async () => {
  const { app, clock, room, listener } = await openPlayingRoom()
  await app.call(room.owner.user, 'PATCH', `/api/rooms/${room.id}`, { settings: { skipVotes: 'third' } })
  for (const client of [room.owner, listener]) await reportNext(client, room)
  clock.advance(2_000)
  const vote = { roomId: room.id, sequenceNumber: room.sequenceNumber, isFor: true }
  await listener.ask('skip_vote', vote)
  const { state } = await room.owner.hear('playback_updated', (heard) => heard.state.track_id === nextId)
  expect(state).toMatchObject({ is_playing: true, cueing: false })
})

it('17.462 a server that has started again looks after a room that somebody comes back to', async () => {
  const [dataDir, clock] = [await makeFolder(), createFakeClock()]
  const before = await startApp({ dataDir, clock })
  const room = await playFirst(await openJoinedRoom(before, { durationMs: 10_000 }))
  const listener = await joinAs(before, room.id, 'listener')
  // Without the owner: that they are away, or back, changes the room.
  await before.call(room.owner.user, 'POST', `/api/rooms/${room.id}/leave`)
  await vi.waitFor(async () => {
    const { state } = await loadRoomState(before.db, room.id)
    expect(state.ownerAbsence).toMatchObject({ handOverAtMs: expect.any(Number) })
  })
  await before.close()
  const after = await startApp({ dataDir, clock })
  const back = await connect(after, listener.user)
  await back.ask('join_room', { roomId: room.id })
  await reportNext(back, room)
  advanceTo(clock, room.endMs - aheadMs)
  const { state } = await back.hear('playback_updated', (heard) => heard.state.track_id === nextId)
  expect(state).toMatchObject({ is_playing: true, cueing: false, timestamp: room.endMs })
})

it('17.462 listeners of two processes count together, and the latest change of the queue counts', async () => {
  const clock = createFakeClock()
  const [first, second] = await startTwo(clock)
  const room = await openJoinedRoom(first, { trackCount: 1, durationMs: 10_000 })
  const listener = await joinAs(second, room.id, 'listener')
  const playing = await playFirst(room)
  const [, next] = await storeTracks(first.db, 2, 10_000)
  await second.call(listener.user, 'POST', `/api/rooms/${room.id}/queue`, { trackId: next?.id })
  await reportNext(listener, playing)
  await reportNext(room.owner, playing)
  advanceTo(clock, playing.endMs - aheadMs)
  const { state } = await room.owner.hear('playback_updated', (heard) => heard.state.track_id === nextId)
  expect(state).toMatchObject({ is_playing: true, timestamp: playing.endMs })
})
