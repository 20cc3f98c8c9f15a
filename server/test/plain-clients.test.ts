import { describe, expect, it, vi } from 'vitest'
import { signUp, shareApp } from './apps.ts'
import { connect, joinAs, openJoinedRoom } from './sockets.ts'

describe('clients written from the calls alone', () => {
  const app = shareApp()

  it('7.16a, 7.23a a state without any mark plays and pauses the room; that and a seek reach who follows only commands', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    const send = (state: object) => owner.ask('playback_update', { roomId, state })
    const state = { current_position: 0, track_id: 't1', timestamp: Date.now(), duration: 200_000 }
    expect(await send({ ...state, is_playing: true })).toMatchObject({ applied: true })
    expect((await listener.hear('playback_updated')).state).toMatchObject({
      is_playing: true,
      track_id: 't1',
    })
    expect((await listener.hear('direct_command')).command).toBe('play')
    listener.forget()
    expect(await send({ is_playing: false })).toMatchObject({ applied: true })
    expect((await listener.hear('direct_command')).command).toBe('pause')
    listener.forget()
    await owner.ask('direct_command', { roomId, command: 'seek', position: 60_000 })
    expect(await listener.hear('direct_command')).toMatchObject({ command: 'seek', position: 60_000 })
  })

  it('7.16a a plain client, written from the calls alone and without answers, can join and follow', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    await owner.ask('direct_command', { roomId, command: 'play' })
    const plain = await connect(app, await signUp(app, 'plain'))
    plain.socket.emit('join_room', { roomId, user: { id: 'whoever' } })
    const joined = await plain.hear('playback_updated')
    expect(joined.state).toMatchObject({ is_playing: true, track_id: 't1' })
    expect((await plain.hear('roomUpdate')).room.currentTrack?.id).toBe('t1')
    expect((await plain.hear('queueUpdate')).queue.map((entry) => entry.id)).toEqual(['t2', 't3'])
    expect((await plain.hear('userPresence', (heard) => heard.count === 2)).users).toHaveLength(2)

    plain.forget()
    for (const name of ['request_sync', 'sync_request', 'get_sync']) {
      plain.socket.emit(name, {
        roomId,
        timestamp: 1,
        initialJoin: true,
        clientId: 'x',
        priority: 'high',
        forceSync: true,
      })
    }
    await vi.waitFor(() => expect(plain.all('playback_updated')).toHaveLength(3))
    await owner.ask('direct_command', { roomId, command: 'pause' })
    await plain.hear('playback_updated', (heard) => !heard.state.is_playing)
  })
})
