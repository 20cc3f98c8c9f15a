import { limits } from '@earshot/core/limits'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { shareApp, startApp } from './apps.ts'
import { ask } from './ask.ts'
import { makeDataFolder } from './databases.ts'
import { connect, joinAs, openJoinedRoom, wallClock } from './sockets.ts'

const refusal = (code: string) => expect.objectContaining({ code })

describe('playback over sockets', () => {
  const app = shareApp()

  it('4.11a, 4.11b, 4.22, 7.23a play starts a little ahead, at one instant for everybody, and is heard as command too', async () => {
    const app = await startApp({ clock: createFakeClock() })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    const { state: before, serverTime: nowMs } = await listener.ask('request_sync', { roomId })
    listener.forget()
    owner.forget()

    const answer = await owner.ask('direct_command', { roomId, command: 'play', commandId: 'c1' })
    expect(answer.applied).toBe(true)
    expect(answer.state).toMatchObject({ is_playing: true, current_position: 0, track_id: 't1' })
    expect(answer.state.sequence_number).toBe(before.sequence_number + limits.sequenceStepPlayPause)
    const lead = answer.state.timestamp - nowMs
    expect(lead).toBeGreaterThanOrEqual(limits.leadMinMs)
    expect(lead).toBeLessThan(limits.leadMaxMs)

    for (const client of [owner, listener]) {
      const { state } = await client.hear('playback_updated', (heard) => heard.state.is_playing)
      expect(state).toMatchObject({
        ...answer.state,
        sender_id: owner.user.id,
        is_command: true,
        command: 'play',
      })
      const direct = await client.hear('direct_command')
      expect(direct).toEqual({
        roomId,
        command: 'play',
        position: 0,
        timestamp: answer.state.timestamp,
        sequence_number: answer.state.sequence_number,
        sender_id: owner.user.id,
      })
    }
  })

  it('4.11a the lead follows the round trips that members report', async () => {
    const app = await startApp({ clock: createFakeClock() })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const nowMs = (await owner.ask('request_sync', { roomId })).serverTime
    await owner.ask('sync_report', { roomId, errorMs: 0, cause: 'in_sync', rttMs: 600 })
    const { state } = await owner.ask('direct_command', { roomId, command: 'play' })
    expect(state.timestamp - nowMs).toBeGreaterThan(600)
  })

  it('4.11a the lead leaves time for an audio element where a member reports one', async () => {
    const app = await startApp({ clock: createFakeClock() })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const nowMs = (await owner.ask('request_sync', { roomId })).serverTime
    const report = { roomId, errorMs: 0, cause: 'in_sync', rttMs: 40 }
    await owner.ask('sync_report', report)
    await owner.ask('direct_command', { roomId, command: 'play' })
    await owner.ask('direct_command', { roomId, command: 'pause' })
    const { state } = await owner.ask('direct_command', { roomId, command: 'play' })
    expect(state.timestamp - nowMs).toBe(160)
    await owner.ask('sync_report', { ...report, player: 'element' })
    const sought = await owner.ask('direct_command', { roomId, command: 'seek', position: 9_000 })
    expect(sought.state.timestamp - nowMs).toBe(260 + limits.moveCostMs)
  })

  it('4.12 pause acts at once, at the position where everybody stops', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const played = await owner.ask('direct_command', { roomId, command: 'play' })
    await vi.waitFor(() => expect(wallClock.now()).toBeGreaterThan(played.state.timestamp + 50))
    const paused = await owner.ask('direct_command', { roomId, command: 'pause' })
    expect(paused.state.is_playing).toBe(false)
    expect(paused.state.current_position).toBe(paused.state.timestamp - played.state.timestamp)
    expect(paused.state.sequence_number).toBe(played.state.sequence_number + limits.sequenceStepPlayPause)
    await owner.hear('direct_command', (heard) => heard.command === 'pause')
  })

  it('4.15, 4.22 seek stores the position and is broadcast, forced, to everybody', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    const { state } = await owner.ask('direct_command', { roomId, command: 'seek', position: 60_000 })
    const heard = await listener.hear(
      'playback_updated',
      ({ state: each }) => each.current_position === 60_000,
    )
    expect(heard.state).toMatchObject({ force_sync: true, is_seek_operation: true, command: 'seek' })
    const late = await joinAs(app, roomId, 'late')
    expect((await late.ask('request_sync', { roomId })).state).toMatchObject({
      current_position: 60_000,
      sequence_number: state.sequence_number,
    })
  })

  it('4.14 previous restarts the current track', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    await owner.ask('direct_command', { roomId, command: 'seek', position: 60_000 })
    const { state } = await owner.ask('direct_command', { roomId, command: 'previous' })
    expect(state).toMatchObject({ current_position: 0, track_id: 't1' })
  })

  it('4.13a, 4.13c next makes the first entry current, paused, and tells of room, queue and state in this order', async () => {
    // The line that tells of who joined is due 2 s after it.
    const app = await startApp({ clock: createFakeClock() })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    await listener.hear('userPresence', ({ count }) => count === 2)
    await listener.ask('request_sync', { roomId, queueDeltas: true })
    listener.forget()
    const { state } = await owner.ask('direct_command', { roomId, command: 'next' })
    expect(state).toMatchObject({ track_id: 't2', is_playing: false, current_position: 0 })
    await listener.hear('playback_updated')
    expect(listener.heard.map((event) => event.name)).toEqual([
      'roomUpdate',
      'queueDelta',
      'playback_updated',
    ])
    expect(listener.all('roomUpdate')[0]?.room.currentTrack?.id).toBe('t2')
    expect(listener.all('queueDelta')[0]?.parts).toEqual([{ first: 1, count: 1 }])
  })

  it('12.1 the queue names its timeline, and the timeline the command that led to it', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    await owner.ask('request_sync', { roomId, queueDeltas: true })
    owner.forget()
    const { state } = await owner.ask('direct_command', { roomId, command: 'next', commandId: 'skip-1' })
    expect(owner.all('queueDelta')[0]).toMatchObject({ sequence_number: state.sequence_number })
    expect(owner.all('playback_updated')[0]?.state).toMatchObject({
      sequence_number: state.sequence_number,
      command_id: 'skip-1',
    })
    const seek = { manual_seek: true, current_position: 5_000, duration: 61_000, command_id: 'seek-1' }
    await owner.ask('playback_update', { roomId, state: seek })
    expect(owner.all('playback_updated').at(-1)?.state).toMatchObject({
      duration: 61_000,
      command_id: 'seek-1',
    })
  })

  it('1.2a, 5.7a, 6.3a, 7.23c commands and reports of anybody but the owner are refused and change nothing', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    const before = await owner.ask('request_sync', { roomId })
    const attempts = [
      ...(['play', 'pause', 'next', 'previous'] as const).map(
        (command) => ['direct_command', { command }] as const,
      ),
      ['direct_command', { command: 'seek', position: 5 }] as const,
      ['playback_update', { state: { is_command: true, command: 'play' } }] as const,
      ['playback_update', { state: { force_sync: true, current_position: 50_000 } }] as const,
      ['playback_update', { state: { is_position_update: true, current_position: 50_000 } }] as const,
      ['playback_update', { state: { is_position_update: true, current_position: 50_000 } }] as const,
      ['playback_update', { state: { duration: 5 } }] as const,
      ['playback_update', { state: {} }] as const,
      ['track_changed', { trackId: 't2' }] as const,
    ]
    for (const [name, payload] of attempts) {
      await expect(listener.ask(name, { roomId, ...payload })).rejects.toEqual(refusal('not_owner'))
    }
    const after = await owner.ask('request_sync', { roomId })
    expect(after.state).toEqual(before.state)
    expect(after.queue).toEqual(before.queue)
  })

  it('7.20a, 7.16b a command that arrives again is acknowledged, and applied once', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    listener.forget()
    const sent = { roomId, command: 'next', commandId: 'c1' }
    const [first, again] = await Promise.all([
      owner.ask('direct_command', sent),
      owner.ask('direct_command', sent),
    ])
    expect([first.applied, again.applied]).toEqual([true, false])
    expect(again.state).toEqual(first.state)
    const late = await owner.ask('playback_update', {
      roomId,
      state: { is_command: true, command: 'next', command_id: 'c1' },
    })
    expect(late.applied).toBe(false)
    await owner.ask('direct_command', { roomId, command: 'play', commandId: 'c2' })
    await listener.hear('direct_command')
    expect(listener.all('roomUpdate')).toHaveLength(1)
  })

  it('17.231 two members who skip the same track at once skip one track', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    await app.call(owner.user, 'PATCH', `/api/rooms/${roomId}`, { settings: { control: 'everybody' } })
    const skip = (commandId: string) => ({ roomId, command: 'next', trackId: 't1', commandId })
    const [one, other] = await Promise.all([
      owner.ask('direct_command', skip('c1')),
      listener.ask('direct_command', skip('c2')),
    ])
    expect([one.applied, other.applied].filter(Boolean)).toHaveLength(1)
    expect(other.state.track_id).toBe('t2')
  })

  it('7.20a a follow-up without an id repeats nothing', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const command = { roomId, command: 'next', priority: 'high', forceSync: true, timestamp: 1 }
    const first = await owner.ask('direct_command', command)
    const followUp = await owner.ask('direct_command', { ...command, isFollowUp: true })
    expect(first.applied).toBe(true)
    expect(followUp).toEqual({ applied: false, state: first.state })
  })

  it('commands without a current track are refused', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app, { trackCount: 0 })
    for (const command of ['play', 'next'] as const) {
      await expect(owner.ask('direct_command', { roomId, command })).rejects.toEqual(refusal('no_track'))
    }
    await expect(owner.ask('track_changed', { roomId, trackId: 'nope' })).rejects.toEqual(
      refusal('track_not_found'),
    )
  })

  it('16.12 a server that closes answers every command that it received, and stores what it acknowledged', async () => {
    const closings: Closing[] = []
    // Repeated where a busy machine needs more than the 5 s that a closing server takes for it.
    const { answered, positions } = await vi.waitFor(
      async () => {
        const closing = await closeUnderCommands()
        closings.push(closing)
        expect(closing.answered).toHaveLength(closing.positions.length)
        return closing
      },
      { timeout: 120_000 },
    )
    expect(answered).toEqual(positions)
    for (const closing of closings)
      expect(closing.storedAt).toBeGreaterThanOrEqual(closing.answered.at(-1) ?? 0)
  })
})

interface Closing {
  /** To which the commands sought, and of them those that were acknowledged. */
  positions: number[]
  answered: number[]
  /** The room's position once the server runs again. */
  storedAt: number
}

/** Closes a server that has received commands, and starts it again. */
async function closeUnderCommands(): Promise<Closing> {
  const dataDir = await makeDataFolder()
  const app = await startApp({ dataDir })
  const { id: roomId, owner: first } = await openJoinedRoom(app)
  // Connected until the server closes the connection.
  const owner = await connect({ address: app.address, atEnd: onTestFinished }, first.user)
  await owner.ask('join_room', { roomId })
  const positions = Array.from({ length: 15 }, (_, index) => 1_000 * (index + 1))
  const answers = Promise.allSettled(
    positions.map((position) => owner.askRaw('direct_command', { roomId, command: 'seek', position })),
  )
  // The probe is answered at once and overtakes them: all have been received.
  await owner.askRaw('ping', { time: 1 })
  await app.close()
  const settled = await answers
  const answered = positions.filter((_, index) => {
    const answer = settled[index]
    return answer?.status === 'fulfilled' && answer.value.ok
  })
  const reopened = await startApp({ dataDir })
  const { json } = await ask(`${reopened.address}/api/rooms/${roomId}`)
  await reopened.close()
  const { room } = json as { room: { current_position: number } }
  return { positions, answered, storedAt: room.current_position }
}
