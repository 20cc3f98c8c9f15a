import { AppError } from '@earshot/core/protocol/errors'
import type { ClientAck, ClientEventName } from '@earshot/core/protocol/socket-events'
import { initialClock, estimateClock } from '@earshot/core/sync/clock/clock-offset'
import { describe, expect, it } from 'vitest'
import type { ServerCalls } from '../realtime/server-connection.ts'
import { answerCalls } from '../testing/contract-network.ts'
import { addTrack, removeEntry, sendOwnerCommand, type RoomContext } from './commands.ts'
import { createRoomStore, viewRoom } from './state/room-state.ts'
import { applyQueue, applySnapshot } from './state/server-updates.ts'
import { emptyRoom, makeQueue, makeSnapshot, makeState, makeTrack } from './testing/room-fixtures.ts'

interface Call {
  event: ClientEventName
  payload: unknown
  options: unknown
  resolve: (data: unknown) => void
  reject: (error: Error) => void
}

/** A room whose server answers are given by the test. */
function joinRoom() {
  const calls: Call[] = []
  const connection: ServerCalls = {
    isConnected: () => true,
    call: <Name extends ClientEventName>(event: Name, payload: unknown, options: unknown) =>
      new Promise<ClientAck<Name>>((resolve, reject) => {
        calls.push({ event, payload, options, resolve: resolve as Call['resolve'], reject })
      }),
  }
  const store = createRoomStore(applySnapshot(emptyRoom(), makeSnapshot()))
  const clock = {
    serverNow: () => 5_000,
    serverTimeOf: (clientMs: number) => clientMs,
    estimate: () => estimateClock(initialClock, 0),
  }
  const room: RoomContext = { roomId: 'room', store, connection, clock, broadcastAtMs: null }
  return { calls, store, room, view: () => viewRoom(store.getState()) }
}

describe('sendOwnerCommand', () => {
  it('shows the command at once, and the state of the server when it answers', async () => {
    const { calls, room, view } = joinRoom()
    const command = sendOwnerCommand(room, { command: 'play' })
    expect(view().timeline.isPlaying).toBe(true)
    const state = makeState({ isPlaying: true, sequenceNumber: 200, atServerMs: 5_120 })
    calls[0]?.resolve({ applied: true, state })
    await command
    expect(view()).toMatchObject({
      pending: [],
      timeline: { sequenceNumber: 200, atServerMs: 5_120 },
    })
  })

  it('reverts a command that the server refuses, and rejects with the reason', async () => {
    const { calls, store, room, view } = joinRoom()
    const before = store.getState()
    const command = sendOwnerCommand(room, { command: 'next' })
    expect(view().track?.id).toBe('b')
    calls[0]?.reject(new AppError('not_owner'))
    await expect(command).rejects.toMatchObject({ code: 'not_owner' })
    expect(store.getState()).toEqual(before)
  })

  it('7.20a, 7.20b carries an id, the same one in the repetition that follows a missing answer', () => {
    const { calls, room } = joinRoom()
    void sendOwnerCommand(room, { command: 'pause' })
    void sendOwnerCommand(room, { command: 'seek', positionMs: 30_000 })
    const [pause, seek] = calls
    expect(pause).toMatchObject({
      event: 'direct_command',
      payload: { roomId: 'room', command: 'pause', priority: 'high', forceSync: true },
    })
    expect(pause?.options).toMatchObject({
      repeat: { afterMs: 300, payload: { ...(pause?.payload as object), isFollowUp: true } },
    })
    expect(seek).toMatchObject({ payload: { command: 'seek', position: 30_000 } })
    const ids = calls.map(({ payload }) => (payload as { commandId: string }).commandId)
    expect(new Set(ids).size).toBe(2)
  })
})

describe('editing the queue', () => {
  const refusal = () => {
    throw new AppError('unavailable')
  }

  it('shows an added track as pending, and without it after a failure', async () => {
    answerCalls({ 'POST /api/rooms/:roomId/queue': refusal })
    const { room, store, view } = joinRoom()
    const before = store.getState()
    const adding = addTrack(room, makeTrack('d'))
    expect(view().queue.at(-1)).toMatchObject({ id: 'd', position: 2, isPending: true })
    await expect(adding).rejects.toMatchObject({ code: 'unavailable' })
    expect(store.getState()).toEqual(before)
  })

  it('shows an added track once, in the order of the server, when it answers', async () => {
    const arrived = makeQueue('b', 'c', 'd')
    const { room, store, view } = joinRoom()
    answerCalls({
      'POST /api/rooms/:roomId/queue': () => {
        store.setState((state) => applyQueue(state, arrived, 2))
        expect(view().queue).toEqual(arrived)
        return { queue: arrived }
      },
    })
    await addTrack(room, makeTrack('d'))
    expect(view()).toMatchObject({ pending: [], queue: arrived })
  })

  it('queues nothing while there is no track: the added one becomes the track', async () => {
    const { room, store, view } = joinRoom()
    store.setState(({ confirmed }) => ({ confirmed: { ...confirmed, track: null, queue: [] } }))
    answerCalls({ 'POST /api/rooms/:roomId/queue': () => ({ queue: [] }) })
    const adding = addTrack(room, makeTrack('d'))
    expect(view().queue).toEqual([])
    await adding
  })

  it('leaves out a removed entry at once, and restores it after a failure', async () => {
    answerCalls({ 'DELETE /api/rooms/:roomId/queue/:entryId': refusal })
    const { room, view } = joinRoom()
    const removing = removeEntry(room, 'entry-b')
    expect(view().queue.map(({ id }) => id)).toEqual(['c'])
    await expect(removing).rejects.toMatchObject({ code: 'unavailable' })
    expect(view().queue.map(({ id }) => id)).toEqual(['b', 'c'])
  })
})
