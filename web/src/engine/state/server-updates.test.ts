import { AppError, type ErrorCode } from '@earshot/core/protocol/errors'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { answerCalls } from '../../testing/contract-network.ts'
import {
  applyDirectCommand,
  applyFollowReport,
  applyMemberSync,
  applySyncAnswer,
  applySyncChanges,
  applyMemberJoined,
  applyPlayback,
  applyPresence,
  applyRoom,
  applySnapshot,
  applyTrack,
  forgetOrder,
} from './server-updates.ts'
import { fetchMissingTracks, missingTrackId } from '../missing-data.ts'
import { applyDelta, applyQueue } from './queue-updates.ts'
import {
  emptyRoom,
  makeQueue,
  makeOwnersRoom,
  makeSnapshot,
  makeState,
  makeShortTrack,
  ownerId,
} from '../testing/room-fixtures.ts'
import { createRoomStore, viewRoom } from './room-state.ts'

const joined = applySnapshot(emptyRoom(), makeSnapshot())

describe('applyDirectCommand', () => {
  const paused = applyPlayback(joined, makeState({ positionMs: 5_000, sequenceNumber: 200 }))
  const direct = { roomId: 'room', position: 5_000, timestamp: 90_000, sender_id: ownerId }

  it.each([
    ['play', true, 5_000],
    ['pause', false, 5_000],
    ['seek', false, 5_000],
  ] as const)('4.19e moves the current track: %s', (command, isPlaying, positionMs) => {
    const { timeline, track } = applyDirectCommand(paused, {
      ...direct,
      command,
      sequence_number: 300,
    }).confirmed
    expect(timeline).toMatchObject({ isPlaying, positionMs, atServerMs: 90_000, sequenceNumber: 300 })
    expect(track?.id).toBe('a')
  })

  it('4.19e keeps a playing room playing over a seek', () => {
    const playing = applyPlayback(joined, makeState({ isPlaying: true, sequenceNumber: 200 }))
    const moved = applyDirectCommand(playing, { ...direct, command: 'seek', sequence_number: 201 })
    expect(moved.confirmed.timeline).toMatchObject({ isPlaying: true, positionMs: 5_000 })
  })

  it('4.19d, 4.19e has no effect after its own timeline, or without a track', () => {
    const late = { ...direct, command: 'play', sequence_number: 200 } as const
    expect(applyDirectCommand(paused, late)).toBe(paused)
    const empty = emptyRoom()
    expect(applyDirectCommand(empty, { ...late, sequence_number: 900 })).toBe(empty)
  })

  it('leaves a change of track to the timeline', () => {
    expect(applyDirectCommand(paused, { ...direct, command: 'next', sequence_number: 300 })).toBe(paused)
  })
})

describe('a new connection', () => {
  const before = applyPlayback(applyQueue(joined, makeQueue('c'), 50), makeState({ sequenceNumber: 5_000 }))
  const restored = makeSnapshot({ state: makeState({ positionMs: 9_000 }), queueVersion: 1 })

  it('16.277 takes its first snapshot whatever the numbers before it, as after a restored backup', () => {
    const { confirmed } = applySnapshot(forgetOrder(before), restored)
    expect(confirmed.timeline).toMatchObject({ positionMs: 9_000, sequenceNumber: 100 })
    expect(confirmed.queue.map(({ id }) => id)).toEqual(['b', 'c'])
    expect(confirmed.queueVersion).toBe(1)
  })

  it('16.277 keeps what it has sent of itself before its snapshot', () => {
    const moved = applyPlayback(forgetOrder(before), makeState({ positionMs: 30_000, sequenceNumber: 101 }))
    const { timeline } = applySnapshot(moved, restored).confirmed
    expect(timeline).toMatchObject({ positionMs: 30_000, sequenceNumber: 101 })
  })

  it('16.277 leaves what is drawn and heard meanwhile as it is, and drops differences that waited', () => {
    const part = { baseVersion: 60, version: 61, parts: [], sequence_number: 6_000, roomId: 'room' }
    const { confirmed, awaitedDeltas } = forgetOrder(applyDelta(before, part))
    const { timeline } = before.confirmed
    expect(confirmed).toMatchObject({
      ...before.confirmed,
      timeline: { ...timeline, sequenceNumber: 0 },
      queueVersion: null,
    })
    expect(awaitedDeltas).toEqual([])
  })
})

describe('applySnapshot', () => {
  it('4.7b builds the joined room, with everything that is drawn', () => {
    const view = viewRoom(joined)
    expect(view).toMatchObject({ isOwner: true, memberCount: 1 })
    expect(view.track?.id).toBe('a')
    expect(view.queue.map(({ id }) => id)).toEqual(['b', 'c'])
    expect(view.timeline).toEqual(joined.confirmed.timeline)
  })

  it('4.9b, 4.10a keeps newer state than a late snapshot after a reconnect', () => {
    const ahead = applyPlayback(joined, makeState({ sequenceNumber: 300, isPlaying: true }))
    const again = applySnapshot(applyQueue(ahead, [], 5), makeSnapshot({ queueVersion: 4 }))
    expect(again.confirmed.timeline.sequenceNumber).toBe(300)
    expect(again.confirmed.queue).toEqual([])
  })

  it('distinguishes the owner from a listener', () => {
    expect(viewRoom(applySnapshot(emptyRoom('guest'), makeSnapshot())).isOwner).toBe(false)
  })
})

describe('applyPlayback', () => {
  it('4.19d, 4.22 drops a lower sequence number', () => {
    const playing = applyPlayback(joined, makeState({ sequenceNumber: 200, isPlaying: true }))
    expect(applyPlayback(playing, makeState({ sequenceNumber: 199 }))).toBe(playing)
    expect(playing.confirmed.timeline.isPlaying).toBe(true)
  })

  it('4.19a takes another track from the queue', () => {
    const next = applyPlayback(joined, makeState({ sequenceNumber: 101, trackId: 'b' }))
    expect(next.confirmed.track?.title).toBe('Track b')
    expect(missingTrackId(next)).toBeNull()
  })

  it('4.19a takes another track from the room received just before', () => {
    const updated = applyRoom(
      joined,
      makeOwnersRoom({ currentTrack: makeShortTrack('z'), current_track_id: 'z' }),
    )
    expect(updated.confirmed.track?.id).toBe('a')
    expect(applyPlayback(updated, makeState({ sequenceNumber: 101, trackId: 'z' })).confirmed.track?.id).toBe(
      'z',
    )
  })

  it('4.19a reports an unknown track as missing, and applies it when fetched', () => {
    const next = applyPlayback(joined, makeState({ sequenceNumber: 101, trackId: 'unheard' }))
    expect(next.confirmed.track).toBeNull()
    expect(missingTrackId(next)).toBe('unheard')
    expect(applyTrack(next, makeShortTrack('unheard')).confirmed.track?.id).toBe('unheard')
  })

  it('4.19a asks for a missing track at growing intervals, and no more once it is deleted', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const asked: number[] = []
    let code: ErrorCode = 'unavailable'
    answerCalls({
      'GET /api/tracks/:trackId': () => {
        asked.push(Date.now() / 1_000)
        throw new AppError(code)
      },
    })
    const store = createRoomStore(
      applyPlayback(joined, makeState({ sequenceNumber: 101, trackId: 'unheard' })),
    )
    onTestFinished(fetchMissingTracks(store))
    await vi.advanceTimersByTimeAsync(100_000)
    const waits = asked.slice(1).map((atS, index) => Math.round(atS - asked[index]!))
    expect(waits).toEqual([2, 4, 8, 16, 30, 30])
    code = 'track_not_found'
    await vi.advanceTimersByTimeAsync(200_000)
    expect(asked).toHaveLength(8)
  })

  it('ignores a fetched track that is no longer the current one', () => {
    const next = applyPlayback(joined, makeState({ sequenceNumber: 101, trackId: 'unheard' }))
    const after = applyPlayback(next, makeState({ sequenceNumber: 102, trackId: 'b' }))
    expect(applyTrack(after, makeShortTrack('unheard')).confirmed.track?.id).toBe('b')
  })

  it('4.16b has no track if the room has none', () => {
    const ended = applyPlayback(joined, makeState({ sequenceNumber: 101, trackId: null }))
    expect(ended.confirmed.track).toBeNull()
    expect(missingTrackId(ended)).toBeNull()
  })
})

describe('applyQueue', () => {
  it('ignores an outdated queue', () => {
    const newer = applyQueue(joined, makeQueue('c'), 3)
    expect(applyQueue(newer, makeQueue('b', 'c'), 2)).toBe(newer)
    expect(applyQueue(newer, makeQueue('b'), 4).confirmed.queue.map(({ id }) => id)).toEqual(['b'])
  })

  it('applies any queue of a server that does not number them', () => {
    expect(applyQueue(joined, makeQueue('c'), null).confirmed.queue).toHaveLength(1)
  })
})

describe('members', () => {
  const guest = { id: 'guest', username: 'Guest', avatar_url: null, is_owner: false }

  it('7.23b adds a joining member once', () => {
    const two = applyMemberJoined(joined, guest)
    expect(viewRoom(two)).toMatchObject({ memberCount: 2 })
    expect(applyMemberJoined(two, guest)).toBe(two)
  })

  it('7.23b replaces the member list', () => {
    const two = applyPresence(joined, [guest], 250)
    expect(viewRoom(two)).toMatchObject({ members: [guest], memberCount: 250 })
  })
})

describe('applyFollowReport', () => {
  it('ignores changes below the displayed millisecond', () => {
    const updated = applyFollowReport(joined, { errorMs: 1.2, cause: 'in_sync' })
    expect(applyFollowReport(updated, { errorMs: -1.8, cause: 'in_sync' })).toBe(updated)
    expect(applyFollowReport(updated, { errorMs: 2.1, cause: 'in_sync' }).sync.errorMs).toBe(2.1)
    const looser = applyFollowReport(updated, { errorMs: 1.2, uncertaintyMs: 20, cause: 'in_sync' })
    expect(looser.sync.uncertaintyMs).toBe(20)
    expect(applyFollowReport(updated, { errorMs: null, cause: 'buffering' }).sync.cause).toBe('buffering')
  })
})

describe('the sync of the members', () => {
  const inSync = { errorMs: 1, cause: 'in_sync' } as const
  const change = { roomId: 'room', p50Ms: 2, p95Ms: 3 }

  it('16.82 merges changes; null and a whole message remove', () => {
    const both = applySyncChanges(joined, { ...change, members: { ann: inSync, ben: inSync } })
    const without = applySyncChanges(both, { ...change, members: { ann: null, cem: inSync } })
    expect(without.memberSync).toEqual({ ben: inSync, cem: inSync })
    expect(without.roomSync).toEqual({ p50Ms: 2, p95Ms: 3 })
    const whole = applySyncChanges(without, { ...change, members: { ann: inSync }, isWhole: true })
    expect(whole.memberSync).toEqual({ ann: inSync })
  })

  it('16.83 stores the figures that it asked for, and removes those without an answer', () => {
    const known = applySyncChanges(joined, { ...change, members: { ann: inSync, ben: inSync } })
    const read = applyMemberSync(known, ['ben', 'cem'], { cem: inSync })
    expect(read.memberSync).toEqual({ ann: inSync, cem: inSync })
  })
})

it('16.84 a brief answer changes playback and queue, and leaves members and messages', () => {
  const {
    room: _room,
    members: _members,
    memberCount: _count,
    messages: _messages,
    ...brief
  } = makeSnapshot({
    state: makeState({ isPlaying: true, sequenceNumber: 900 }),
  })
  const answered = applySyncAnswer(joined, brief)
  expect(answered.confirmed.timeline).toMatchObject({ isPlaying: true, sequenceNumber: 900 })
  expect(answered.members).toBe(joined.members)
  expect(answered.messages).toBe(joined.messages)
})

it('determines the owner by the user id of the session, not by the member list', () => {
  expect(viewRoom(applyRoom(joined, makeOwnersRoom({ owner_id: 'somebody' }))).isOwner).toBe(false)
  expect(viewRoom(applyRoom(joined, makeOwnersRoom({ owner_id: ownerId }))).isOwner).toBe(true)
})
