import { AppError } from '@earshot/core/protocol/errors'
import type { ClientAck, ClientEventName } from '@earshot/core/protocol/socket-events'
import { initialClock, estimateClock } from '@earshot/core/sync/clock/clock-offset'
import { describe, expect, it } from 'vitest'
import type { ServerCalls } from '../realtime/server-connection.ts'
import { giveCommand, type RoomLink } from './commands.ts'
import { applySnapshot } from './state/server-updates.ts'
import { createRoomStore } from './state/room-store.ts'
import { emptySession, makeSnapshot, makeState } from './testing/room-fixtures.ts'

interface Call {
  event: ClientEventName
  payload: unknown
  options: unknown
  resolve: (data: unknown) => void
  reject: (error: Error) => void
}

/** A room whose server answers when the test says so. */
function joinRoom() {
  const calls: Call[] = []
  const connection: ServerCalls = {
    isConnected: () => true,
    call: <Name extends ClientEventName>(event: Name, payload: unknown, options: unknown) =>
      new Promise<ClientAck<Name>>((resolve, reject) => {
        calls.push({ event, payload, options, resolve: resolve as Call['resolve'], reject })
      }),
  }
  const store = createRoomStore(applySnapshot(emptySession(), makeSnapshot()))
  const clock = {
    serverNow: () => 5_000,
    serverTimeOf: (clientMs: number) => clientMs,
    estimate: () => estimateClock(initialClock, 0),
  }
  const link: RoomLink = { roomId: 'room', store, connection, clock, broadcastAtMs: null }
  return { calls, store, link }
}

describe('giveCommand', () => {
  it('shows the command at once, and what the server made of it when it answers', async () => {
    const { calls, store, link } = joinRoom()
    const command = giveCommand(link, { command: 'play' })
    expect(store.getState().timeline.isPlaying).toBe(true)
    const state = makeState({ isPlaying: true, sequenceNumber: 200, atServerMs: 5_120 })
    calls[0]?.resolve({ applied: true, state })
    await command
    expect(store.getState()).toMatchObject({
      pending: [],
      timeline: { sequenceNumber: 200, atServerMs: 5_120 },
    })
  })

  it('springs back where the server refuses it, and says why', async () => {
    const { calls, store, link } = joinRoom()
    const before = store.getState()
    const command = giveCommand(link, { command: 'next' })
    expect(store.getState().track?.id).toBe('b')
    calls[0]?.reject(new AppError('not_owner'))
    await expect(command).rejects.toMatchObject({ code: 'not_owner' })
    expect(store.getState()).toEqual(before)
  })

  it('7.20a, 7.20b carries an id, the same one in the repetition that follows a missing answer', () => {
    const { calls, link } = joinRoom()
    void giveCommand(link, { command: 'pause' })
    void giveCommand(link, { command: 'seek', positionMs: 30_000 })
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
