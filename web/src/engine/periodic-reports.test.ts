import type { ClientAck, ClientEventName } from '@earshot/core/protocol/socket-events'
import { estimateClock, initialClock } from '@earshot/core/sync/clock/clock-offset'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ServerCalls } from '../realtime/server-connection.ts'
import { sendPlaybackCommand, type RoomParts } from './room-actions.ts'
import type { FollowReport } from './playback/player-loop.ts'
import { createPeriodicReports } from './periodic-reports.ts'
import { createRoomStore } from './state/room-state.ts'
import { applySnapshot } from './state/server-updates.ts'
import { emptyRoom, makeSnapshot, makeState, makeShortTrack, ownerId } from './testing/room-fixtures.ts'
import { wallNow } from '../wall-clock.ts'

interface Call {
  event: ClientEventName
  payload: unknown
  options: unknown
}

/** Joins a playing room whose server answers nothing. */
function joinRoom(userId = ownerId) {
  const calls: Call[] = []
  const connection: ServerCalls = {
    isConnected: () => true,
    call: <Name extends ClientEventName>(event: Name, payload: unknown, options: unknown) => {
      calls.push({ event, payload, options })
      return new Promise<ClientAck<Name>>(() => undefined)
    },
  }
  // About to start at the position that the player reports.
  const timeline = { isPlaying: true, positionMs: 20_000, atServerMs: wallNow() + 3_600_000 }
  const snapshot = makeSnapshot({ state: makeState({ ...timeline, sequenceNumber: 200 }) })
  const store = createRoomStore({ ...applySnapshot(emptyRoom(userId), snapshot), phase: 'joined' })
  const clock = {
    serverNow: () => wallNow() + 1_000,
    serverTimeOf: (clientMs: number) => clientMs + 1_000,
    estimate: () => ({ ...estimateClock(initialClock, 0), isUsable: true, rttMs: 42 }),
  }
  const room: RoomParts = { roomId: 'room', store, connection, clock, lastSentAtMs: null }
  const reports = createPeriodicReports(room, () => expect.unreachable())
  return {
    calls,
    room,
    reports,
    store,
    named: (event: string) => calls.filter((call) => call.event === event),
  }
}

const turnOf = (rest: Partial<FollowReport> = {}): FollowReport => ({
  errorMs: 3,
  uncertaintyMs: 20,
  cause: 'in_sync',
  sample: { positionMs: 20_000, atClientMs: wallNow(), status: 'playing' },
  player: 'library',
  ...rest,
})

/** Runs the player's turns, four times a second. */
function runTurns(
  { reports }: ReturnType<typeof joinRoom>,
  forMs: number,
  rest: Partial<FollowReport> = {},
): void {
  for (let passedMs = 0; passedMs < forMs; passedMs += 250) {
    vi.advanceTimersByTime(250)
    reports.onTurn(turnOf(rest))
  }
}

beforeEach(() => vi.useFakeTimers({ now: 1_795_000_000_000 }))
afterEach(() => vi.useRealTimers())

describe('the reports of the owner’s page', () => {
  it('4.20a, 7.16b is where its player is, at the server’s time, once more after 1 s without an answer', () => {
    const joined = joinRoom()
    runTurns(joined, 5_000)
    const [report] = joined.named('playback_update')
    expect(report?.payload).toEqual({
      roomId: 'room',
      state: {
        is_position_update: true,
        is_playing: true,
        current_position: 20_000,
        timestamp: wallNow() + 1_000,
        track_id: 'a',
        sequence_number: 200,
        source: 'library',
        force_sync: false,
      },
    })
    expect(report?.options).toEqual({ repeat: { afterMs: 1_000 } })
    runTurns(joined, 5_000)
    expect(joined.named('playback_update').map(({ payload }) => payload)).toMatchObject([
      { state: { force_sync: false } },
      { state: { force_sync: true } },
    ])
  })

  it('4.20b, 15.18 is not sent from a position that is off, such as that of an advertisement', () => {
    const joined = joinRoom()
    const sample = { positionMs: 1_500, atClientMs: wallNow(), status: 'playing' } as const
    runTurns(joined, 20_000, { sample })
    expect(joined.named('playback_update')).toEqual([])
    runTurns(joined, 5_000)
    expect(joined.named('playback_update')).toHaveLength(1)
  })

  it('5.8a, 9.9 waits for 500 ms after a command', () => {
    const joined = joinRoom()
    runTurns(joined, 4_750)
    void sendPlaybackCommand(joined.room, { command: 'seek', positionMs: 1 })
    // As if it were answered.
    joined.store.setState({ pending: [] })
    runTurns(joined, 250)
    expect(joined.named('playback_update')).toEqual([])
    runTurns(joined, 250)
    expect(joined.named('playback_update')).toHaveLength(1)
  })

  it('16.305 waits for the answer to a command, also where it is forced', () => {
    const joined = joinRoom()
    runTurns(joined, 9_000)
    void sendPlaybackCommand(joined.room, { command: 'seek', positionMs: 1 })
    runTurns(joined, 3_000)
    expect(joined.named('playback_update')).toHaveLength(1)
    joined.store.setState({ pending: [] })
    runTurns(joined, 250)
    expect(joined.named('playback_update')[1]?.payload).toMatchObject({ state: { force_sync: true } })
  })

  it.each([
    { errorMs: 251 },
    { errorMs: null },
    { sample: null },
    { sample: { positionMs: 1, atClientMs: 0, status: 'buffering' as const } },
  ])('are not sent while its player does not follow: %o', (trouble) => {
    const joined = joinRoom()
    runTurns(joined, 20_000, trouble)
    expect(joined.named('playback_update')).toEqual([])
  })

  it('15.38 are not sent, nor its duration, while the owner hears the song from another source', () => {
    const joined = joinRoom()
    joined.store.setState({ substitutes: { a: makeShortTrack('mine') } })
    runTurns(joined, 20_000)
    joined.reports.onDuration('mine', 90_000)
    expect(joined.named('playback_update')).toEqual([])
    expect(joined.store.getState().confirmed.timeline.durationMs).toBe(60_000)
  })

  it('4.21a, 9.15 is the duration of the track, where the room is more than 5 s off', () => {
    const joined = joinRoom()
    joined.reports.onDuration('a', 65_000)
    joined.reports.onDuration('other', 90_000)
    expect(joined.calls).toEqual([])
    joined.reports.onDuration('a', 65_001)
    joined.reports.onDuration('a', 65_001)
    const state = { track_id: 'a', duration: 65_001, force_sync: true }
    expect(joined.calls).toMatchObject([{ event: 'playback_update', payload: { roomId: 'room', state } }])
    expect(joined.store.getState().confirmed.timeline.durationMs).toBe(65_001)
  })
})

it('16.276 the owner reports a duration that the room does not know, though the track states it', () => {
  const joined = joinRoom()
  const { confirmed } = joined.store.getState()
  const timeline = { ...confirmed.timeline, durationMs: null }
  joined.store.setState({ confirmed: { ...confirmed, timeline } })
  joined.reports.onDuration('a', 60_000)
  expect(joined.named('playback_update')).toMatchObject([{ payload: { state: { duration: 60_000 } } }])
  expect(joined.store.getState().confirmed.timeline.durationMs).toBe(60_000)
})

describe('the reports and requests of every page', () => {
  it('4.21a a listener stores a measured duration without reporting it', () => {
    const joined = joinRoom('guest')
    joined.reports.onDuration('a', 90_000)
    expect(joined.calls).toEqual([])
    expect(joined.store.getState()).toMatchObject({
      confirmed: { timeline: { durationMs: 90_000 }, track: { duration: 90_000 } },
    })
  })

  it('4.20e, 11.3b is every 5 s how far its sound is off, why, its round trip and its player', () => {
    const joined = joinRoom('guest')
    runTurns(joined, 10_250, { errorMs: -7, cause: 'correcting', player: 'element' })
    const figures = { errorMs: -7, uncertaintyMs: 20, cause: 'correcting', rttMs: 42 }
    const payload = { roomId: 'room', ...figures, player: 'element' }
    expect(joined.named('sync_report').map((call) => call.payload)).toEqual([payload, payload, payload])
  })

  it('4.7d, 4.20c, 7.21 is for the joined, after 1.5 s and then every 30 s, under three names without an answer', () => {
    const joined = joinRoom('guest')
    runTurns(joined, 1_500)
    const [first] = joined.named('request_sync')
    expect(first?.payload).toMatchObject({ roomId: 'room', initialJoin: true, timestamp: wallNow() + 1_000 })
    expect(first?.options).toEqual({ repeat: { afterMs: 1_000, alsoAs: ['sync_request', 'get_sync'] } })
    runTurns(joined, 29_750)
    expect(joined.named('request_sync')).toHaveLength(1)
    runTurns(joined, 250)
    expect(joined.named('request_sync')[1]?.payload).toMatchObject({ initialJoin: false })
  })

  it('are not sent before it has joined', () => {
    const joined = joinRoom()
    joined.store.setState({ phase: 'loading' })
    runTurns(joined, 60_000)
    expect(joined.calls).toEqual([])
  })
})
