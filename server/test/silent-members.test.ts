import { limits } from '@earshot/core/limits'
import type { PlaybackState } from '@earshot/core/protocol/entities'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it, vi } from 'vitest'
import { startApp } from './apps.ts'
import { type TestClient, joinAs, openJoinedRoom, renewable } from './sockets.ts'

/** Members who answer no cues, as a recorder or a bot does that only listens. */

/**
 * Opens a room of its owner and a recorder. The clock stands still, so what starts before it is moved waited for no
 * deadline.
 */
async function openRoomWithRecorder() {
  const clock = createFakeClock()
  const app = await startApp({ clock })
  const { id: roomId, owner } = await openJoinedRoom(app)
  const recorder = await joinAs(app, roomId, 'recorder')
  const tracks = ['t2', 't3']

  /** Cues another track, for which these members are ready. */
  const cue = async (by: TestClient, ready: TestClient[]): Promise<PlaybackState> => {
    tracks.reverse()
    const { state } = await by.ask('track_changed', { roomId, trackId: tracks[0], isPlaying: true })
    expect(state.cueing).toBe(true)
    for (const client of ready) await answer(client, state)
    return state
  }
  const answer = (
    client: TestClient,
    { track_id: trackId, sequence_number: sequenceNumber }: PlaybackState,
  ) => client.ask('track_ready', { roomId, trackId, sequenceNumber })
  const hearStart = (client: TestClient, cued: PlaybackState) =>
    client.hear(
      'playback_updated',
      ({ state }) => state.is_playing && state.sequence_number > cued.sequence_number,
    )
  /** Cues a track that starts at its deadline, as others are not ready. */
  const cueLate = async (by: TestClient, ready: TestClient[]): Promise<PlaybackState> => {
    const cued = await cue(by, ready)
    expect((await by.ask('request_sync', { roomId })).state.cueing).toBe(true)
    clock.advance(limits.cueTimeoutMs)
    await hearStart(by, cued)
    return cued
  }
  const join = (name: string) => joinAs(app, roomId, name)
  return { app, clock, roomId, owner, recorder, join, cue, cueLate, answer, hearStart }
}

it('16.291 a cue waits no longer for a member who let two pass, until they answer again', async () => {
  const { owner, recorder, cue, cueLate, answer, hearStart } = await openRoomWithRecorder()
  await cueLate(owner, [owner])
  await cueLate(owner, [owner])
  const third = await cue(owner, [owner])
  expect((await hearStart(owner, third)).state.track_id).toBe(third.track_id)
  // Late, as by a page on a slow line.
  await answer(recorder, third)
  await cueLate(owner, [owner])
})

it('16.292 the controls pass to who answers cues, also from who does not any more', async () => {
  const { clock, roomId, owner, join, cueLate } = await openRoomWithRecorder()
  clock.advance(10)
  const ann = await join('ann')
  for (let count = 0; count < 2; count += 1) await cueLate(owner, [owner, ann])
  const untilInControl = (client: TestClient) =>
    vi.waitFor(() => {
      clock.advance(5_000)
      expect(ann.all('roomUpdate').at(-1)?.room.controller?.id).toBe(client.user.id)
    }, renewable)
  await owner.ask('user_left', { roomId })
  await untilInControl(ann)
  const ben = await join('ben')
  for (let count = 0; count < 2; count += 1) await cueLate(ann, [ben])
  await untilInControl(ben)
})

it('17.21 who has the controls keeps them while their connection is cut for a moment', async () => {
  const { app, clock, roomId, owner, recorder: ann, join } = await openRoomWithRecorder()
  clock.advance(10)
  const ben = await join('ben')
  await owner.ask('user_left', { roomId })
  const controllerOf = async () => (await ben.ask('request_sync', { roomId })).room?.controller?.id
  await vi.waitFor(() => {
    clock.advance(5_000)
    expect(ben.all('roomUpdate').at(-1)?.room.controller?.id).toBe(ann.user.id)
  }, renewable)
  const { presence } = app.rooms
  ann.close()
  await vi.waitFor(async () => expect(await presence.findAnswering(roomId, [ann.user.id])).toEqual(new Set()))
  // Each newcomer has the controls reviewed.
  await join('cay')
  clock.advance(limits.controllerAwayMs + 1_000)
  await join('dan')
  for (let count = 0; count < 5; count += 1) expect(await controllerOf()).toBe(ann.user.id)
})

it('16.293 a video that nobody can play is skipped though a recorder is there, who reports nothing', async () => {
  const { roomId, owner, join, cueLate } = await openRoomWithRecorder()
  const [ann, ben] = [await join('ann'), await join('ben')]
  for (let count = 0; count < 2; count += 1) await cueLate(owner, [owner, ann, ben])
  await owner.ask('user_left', { roomId })
  const { state } = await ann.ask('request_sync', { roomId })
  const unplayable = [{ trackId: state.track_id, reason: 'removed' }]
  await ann.ask('playability_report', { roomId, unplayable })
  expect((await ann.ask('request_sync', { roomId })).state.track_id).toBe(state.track_id)
  await ben.ask('playability_report', { roomId, unplayable })
  expect((await ann.ask('request_sync', { roomId })).state.track_id).not.toBe(state.track_id)
})
