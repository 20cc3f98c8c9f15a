import type { ClientAck, ClientEventName } from '@earshot/core/protocol/socket-events'
import { estimateClock, initialClock } from '@earshot/core/sync/clock/clock-offset'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ServerCalls } from '../realtime/server-connection.ts'
import { wallNow } from '../realtime/wall-clock.ts'
import { giveCommand, type RoomLink } from './commands.ts'
import type { FollowReport } from './playback/player-loop.ts'
import { createRoomReports } from './periodic-reports.ts'
import { applySnapshot } from './state/server-updates.ts'
import { createRoomStore } from './state/room-store.ts'
import { emptySession, makeSnapshot, makeState, ownerId } from './testing/room-fixtures.ts'

interface Call {
  event: ClientEventName
  payload: unknown
  options: unknown
}

/** Somebody in a room that plays, whose server takes everything and answers nothing. */
function joinRoom(userId = ownerId) {
  const calls: Call[] = []
  const connection: ServerCalls = {
    isConnected: () => true,
    call: <Name extends ClientEventName>(event: Name, payload: unknown, options: unknown) => {
      calls.push({ event, payload, options })
      return new Promise<ClientAck<Name>>(() => undefined)
    },
  }
  const snapshot = makeSnapshot({ state: makeState({ isPlaying: true, sequenceNumber: 200 }) })
  const store = createRoomStore({ ...applySnapshot(emptySession(userId), snapshot), phase: 'joined' })
  const clock = {
    serverNow: () => wallNow() + 1_000,
    serverTimeOf: (clientMs: number) => clientMs + 1_000,
    estimate: () => ({ ...estimateClock(initialClock, 0), isUsable: true, rttMs: 42 }),
  }
  const link: RoomLink = { roomId: 'room', store, connection, clock, broadcastAtMs: null }
  const reports = createRoomReports(link, () => expect.unreachable())
  return {
    calls,
    link,
    reports,
    store,
    named: (event: string) => calls.filter((call) => call.event === event),
  }
}

const turnOf = (rest: Partial<FollowReport> = {}): FollowReport => ({
  errorMs: 3,
  cause: 'in_sync',
  sample: { positionMs: 20_000, atClientMs: wallNow(), status: 'playing' },
  player: 'library',
  ...rest,
})

/** Turns four times a second, as the player has them. */
function live(
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

describe('what the owner’s page reports', () => {
  it('4.20a, 7.16b is where its player is, at the server’s time, once more after 1 s without an answer', () => {
    const room = joinRoom()
    live(room, 5_000)
    const [report] = room.named('playback_update')
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
    expect(report?.options).toEqual({ repeat: { afterMs: 1_000, payload: report?.payload } })
    live(room, 5_000)
    expect(room.named('playback_update').map(({ payload }) => payload)).toMatchObject([
      { state: { force_sync: false } },
      { state: { force_sync: true } },
    ])
  })

  it('5.8a, 9.9 waits for 500 ms after a command', () => {
    const room = joinRoom()
    live(room, 4_750)
    void giveCommand(room.link, { command: 'seek', positionMs: 1 })
    live(room, 250)
    expect(room.named('playback_update')).toEqual([])
    live(room, 250)
    expect(room.named('playback_update')).toHaveLength(1)
  })

  it.each([
    { errorMs: 251 },
    { errorMs: null },
    { sample: null },
    { sample: { positionMs: 1, atClientMs: 0, status: 'buffering' as const } },
  ])('is nothing while its player does not follow: %o', (trouble) => {
    const room = joinRoom()
    live(room, 20_000, trouble)
    expect(room.named('playback_update')).toEqual([])
  })

  it('4.21a, 9.15 is the duration of the track, where the room is more than 5 s off', () => {
    const room = joinRoom()
    room.reports.onDuration('a', 65_000)
    room.reports.onDuration('other', 90_000)
    expect(room.calls).toEqual([])
    room.reports.onDuration('a', 65_001)
    room.reports.onDuration('a', 65_001)
    const state = { track_id: 'a', duration: 65_001, force_sync: true }
    expect(room.calls).toMatchObject([{ event: 'playback_update', payload: { roomId: 'room', state } }])
    expect(room.store.getState().timeline.durationMs).toBe(65_001)
  })
})

describe('what every page tells and asks', () => {
  it('4.21a a listener notes a duration and tells nobody', () => {
    const room = joinRoom('guest')
    room.reports.onDuration('a', 90_000)
    expect(room.calls).toEqual([])
    expect(room.store.getState()).toMatchObject({
      timeline: { durationMs: 90_000 },
      track: { duration: 90_000 },
    })
  })

  it('4.20e is every 5 s how far its sound is off, why, its round trip and its player', () => {
    const room = joinRoom('guest')
    live(room, 10_250, { errorMs: -7, cause: 'correcting', player: 'element' })
    const payload = { roomId: 'room', errorMs: -7, cause: 'correcting', rttMs: 42, player: 'element' }
    expect(room.named('sync_report').map((call) => call.payload)).toEqual([payload, payload, payload])
  })

  it('4.7d, 4.20c, 7.21 is for the room, after 1.5 s and then every 30 s, under three names without an answer', () => {
    const room = joinRoom('guest')
    live(room, 1_500)
    const [first] = room.named('request_sync')
    expect(first?.payload).toMatchObject({ roomId: 'room', initialJoin: true, timestamp: wallNow() + 1_000 })
    expect(first?.options).toEqual({
      repeat: { afterMs: 1_000, payload: first?.payload, alsoAs: ['sync_request', 'get_sync'] },
    })
    live(room, 29_750)
    expect(room.named('request_sync')).toHaveLength(1)
    live(room, 250)
    expect(room.named('request_sync')[1]?.payload).toMatchObject({ initialJoin: false })
  })

  it('is nothing before it has joined', () => {
    const room = joinRoom()
    room.store.setState({ phase: 'loading' })
    live(room, 60_000)
    expect(room.calls).toEqual([])
  })
})
