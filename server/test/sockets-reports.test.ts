import { limits } from '@earshot/core/limits'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { makeTrack } from '@earshot/core/testing/tracks'
import { describe, expect, it, vi } from 'vitest'
import { findTrack, upsertTracks } from '../src/db/tracks.ts'
import { shareApp, startApp } from './apps.ts'
import { freezeWindows } from './rate-windows.ts'
import { type TestClient, joinAs, openJoinedRoom } from './sockets.ts'
import { callRates } from '../src/limits/rates.ts'

describe('reports of the owner over sockets', () => {
  const app = shareApp()

  it('4.19d, 7.16b a forced state that is repeated after others came in between changes nothing', async () => {
    const clock = createFakeClock()
    const app = await startApp({ clock })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const play = { is_playing: true, force_sync: true, current_position: 0, command_id: 'play-1' }
    const pause = { is_playing: false, force_sync: true, command_id: 'pause-1' }
    const repeat = { roomId, state: { ...play, current_position: 30_000, command_id: 'play-2' } }

    await owner.ask('playback_update', { roomId, state: play })
    await owner.ask('playback_update', { roomId, state: { ...pause, current_position: 0 } })
    const { state: resumed } = await owner.ask('direct_command', { roomId, command: 'play' })
    await owner.ask('playback_update', { roomId, state: { ...pause, current_position: 0 } })
    expect((await owner.ask('request_sync', { roomId })).state).toMatchObject({
      is_playing: true,
      sequence_number: resumed.sequence_number,
    })

    await owner.ask('direct_command', { roomId, command: 'pause' })
    const { state: moved } = await owner.ask('playback_update', repeat)
    clock.advance(1_500)
    const { state: after } = await owner.ask('playback_update', repeat)
    expect(after.sequence_number).toBe(moved.sequence_number)
  })

  it('4.20b, 5.8b, 9.14 a report that agrees is absorbed, one more than 2 s away moves the room', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    await owner.ask('direct_command', { roomId, command: 'seek', position: 60_000 })
    listener.forget()
    const report = (current_position: number, extra = {}) =>
      owner.ask('playback_update', { roomId, state: { current_position, force_sync: true, ...extra } })
    expect((await report(60_100)).applied).toBe(false)
    const moved = await report(63_000)
    expect(moved).toMatchObject({ applied: true, state: { current_position: 63_000 } })
    await listener.hear('playback_updated')
    expect(listener.heard.filter((event) => event.name === 'playback_updated')).toHaveLength(1)
  })

  it.each([
    ['seek', { command: 'seek', position: 60_000 }, 60_000],
    ['previous', { command: 'previous' }, 0],
  ] as const)('16.305 a report from before a %s does not undo it', async (_name, command, positionMs) => {
    const clock = createFakeClock()
    const app = await startApp({ clock })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    await owner.ask('direct_command', { roomId, command: 'play' })
    clock.advance(20_000)
    const { state: before } = await owner.ask('request_sync', { roomId })
    const report = (force_sync = true) =>
      owner.ask('playback_update', {
        roomId,
        // As the page sends it: from the timeline that it knows.
        state: {
          is_position_update: true,
          is_playing: true,
          current_position: before.current_position + clock.now() - before.timestamp,
          timestamp: clock.now(),
          track_id: before.track_id,
          sequence_number: before.sequence_number,
          source: before.source,
          force_sync,
        },
      })
    expect(await report()).toMatchObject({ applied: false })
    const commanded = owner.ask('direct_command', { roomId, ...command })
    const absorbed = await report()
    const { state } = await commanded
    expect(state.current_position).toBe(positionMs)
    expect(absorbed).toEqual({ applied: false, state })
    // Repeated without an answer, and by a page that has not heard of the change yet.
    for (const force_sync of [true, false]) {
      clock.advance(limits.repeatUnansweredMs)
      expect(await report(force_sync)).toEqual({ applied: false, state })
    }
    await listener.hear('playback_updated', (heard) => heard.state.sequence_number === state.sequence_number)
    const { state: after } = await owner.ask('request_sync', { roomId })
    expect(after).toEqual({ ...state, sender_id: null })
  })

  it('5.8c, 9.17b unforced reports are taken once a second and member; the others are told that they were not', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const report = (current_position: number) =>
      owner.ask('playback_update', { roomId, state: { is_position_update: true, current_position } })
    freezeWindows()
    const [taken, refused] = await Promise.all([report(30_000), report(90_000)])
    expect(taken).toMatchObject({ applied: true, state: { current_position: 30_000 } })
    expect(refused).toMatchObject({
      applied: false,
      state: { current_position: 30_000 },
      retryAfterMs: expect.any(Number),
    })
    vi.advanceTimersByTime(1_000)
    const later = await report(90_000)
    expect(later.applied).toBe(true)
    for (const counted of [taken, later]) expect(counted).not.toHaveProperty('retryAfterMs')
  })

  it('5.8c commands have a limit of their own, and a refused one is told when to try again', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    freezeWindows()
    const answers = await Promise.all(
      Array.from({ length: callRates.command.points + 5 }, () =>
        owner.askRaw('direct_command', { roomId, command: 'seek', position: 5 }),
      ),
    )
    const refused = answers.filter((answer) => !answer.ok)
    expect(refused).toHaveLength(5)
    expect(refused[0]).toMatchObject({ error: { code: 'rate_limited', retryAfterMs: expect.any(Number) } })
  })

  it('4.21a, 9.15 the duration that the owner reports corrects one that is far off', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    listener.forget()
    const report = (duration: number) =>
      owner.ask('playback_update', { roomId, state: { duration, force_sync: true } })
    expect((await report(204_000)).applied).toBe(false)
    expect(await report(251_000)).toMatchObject({ applied: true, state: { duration: 251_000 } })
    expect((await listener.hear('roomUpdate')).room.currentTrack?.duration).toBe(251_000)
    expect((await report(251_000)).applied).toBe(false)
  })

  it("4.21b, 6.3b the owner's report of a video's duration is saved with the track, a listener's is not", async () => {
    const { id: roomId, owner } = await openJoinedRoom(app, { trackCount: 0 })
    const listener = await joinAs(app, roomId, 'listener')
    const video = { ...makeTrack('youtube:v1', 180_000, 'youtube'), duration_unknown: true }
    await upsertTracks(app.db, [video], 1)
    await app.call(owner.user, 'POST', `/api/rooms/${roomId}/queue`, { trackId: video.id })
    const report = (client: TestClient, duration: number) =>
      client.ask('playback_update', { roomId, state: { duration, track_id: video.id, force_sync: true } })
    await expect(report(listener, 90_000)).rejects.toMatchObject({ code: 'not_owner' })
    expect(await findTrack(app.db, video.id)).toMatchObject({ duration_unknown: true })
    expect((await report(owner, 251_000)).applied).toBe(true)
    expect((await findTrack(app.db, video.id))?.duration).toBe(251_000)
    // A difference of up to 5 s is none.
    await report(owner, 255_000)
    expect((await findTrack(app.db, video.id))?.duration).toBe(251_000)
  })
})
