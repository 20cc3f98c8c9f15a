import type { UnplayableReason } from '@earshot/core/protocol/providers'
import type { PlayerKind } from '@earshot/core/protocol/sync-report'
import { addProbe, initialClock, serverTimeAt } from '@earshot/core/sync/clock/clock-offset'
import type { Timeline } from '@earshot/core/sync/timeline'
import { vi } from 'vitest'
import { SilentPlayer } from '../../players/testing/silent-player.ts'
import { PlayerLoop, type FollowReport } from '../playback/player-loop.ts'
import type { RoomToFollow } from '../playback/room-to-follow.ts'
import { makeTimeline, makeShortTrack } from './room-fixtures.ts'
import { wallNow } from '../../wall-clock.ts'

/** The server's clock is exactly an hour ahead of this page's. */
export const offsetMs = 3_600_000
export const serverNow = () => wallNow() + offsetMs

/** A clock with sixteen samples. */
export function measureClock() {
  return Array.from({ length: 16 }).reduce<typeof initialClock>((clock) => {
    const nowMs = wallNow()
    const serverMs = nowMs + offsetMs
    const stamps = { serverReceivedAtMs: serverMs, serverSentAtMs: serverMs }
    return addProbe(clock, { sentAtMs: nowMs, ...stamps, returnedAtMs: nowMs })
  }, initialClock)
}

/** Starts a player loop; gives the room it follows, the players created and the reports sent. */
export function listen(timeline: Partial<Timeline>, measured = measureClock()) {
  const players: { player: SilentPlayer; kind: PlayerKind }[] = []
  const reports: FollowReport[] = []
  const ready: number[] = []
  const nextReady: string[] = []
  const durations: [string, number][] = []
  const blocked: boolean[] = []
  const unsupported: UnplayableReason[] = []
  const takenOver: true[] = []
  const playableAgain: true[] = []
  let fileTag = 'one'
  const failed: boolean[] = []
  let forbidden: Record<string, UnplayableReason> = {}
  let clock = measured
  const state: RoomToFollow = {
    timeline: makeTimeline(timeline),
    track: makeShortTrack('a'),
    nextTrack: null,
    isPausedHere: false,
    nudgeMs: 0,
    isOutdated: false,
  }
  const playerLoop = new PlayerLoop({
    players: {
      kindsFor: (source) => (source === 'library' ? ['library', 'element'] : ['video']),
      create: (kind) => {
        const player = new SilentPlayer()
        players.push({ player, kind })
        return Promise.resolve(player)
      },
      readFileTag: () => Promise.resolve(fileTag),
      preload: () => Promise.resolve(),
      connectsAhead: () => false,
    },
    clock: { state: () => clock, serverNow: () => serverTimeAt(clock, wallNow()) },
    initialVolume: 0.5,
    readRoom: () => state,
    onReport: (report) => reports.push(report),
    onBlockedChange: (isBlocked) => blocked.push(isBlocked),
    onCueReady: (sequenceNumber) => ready.push(sequenceNumber),
    onNextReady: (sequenceNumber, trackId) => nextReady.push(`${trackId} after ${sequenceNumber}`),
    onDuration: (trackId, durationMs) => durations.push([trackId, durationMs]),
    listenerReason: ({ id }) => forbidden[id] ?? null,
    onUnsupported: (reason) => unsupported.push(reason),
    onTakenOver: () => takenOver.push(true),
    onFailureChange: (hasFailed) => failed.push(hasFailed),
    onMissingChange: () => undefined,
    onPlayableAgain: () => playableAgain.push(true),
  })
  const change = (next: Partial<RoomToFollow>) => {
    Object.assign(state, next)
    playerLoop.wake()
  }
  const latest = () => players.at(-1)!.player
  /** The clock's answers arrive. */
  const measure = () => {
    clock = measureClock()
    playerLoop.wake()
  }
  /** Makes tracks unplayable for this listener, by track id. */
  const forbid = (reasons: Record<string, UnplayableReason>) => {
    forbidden = reasons
  }
  /** Another file takes the place of that of each track. */
  const replaceFiles = () => {
    fileTag = 'two'
  }
  const heard = {
    reports,
    ready,
    nextReady,
    durations,
    blocked,
    unsupported,
    takenOver,
    failed,
    playableAgain,
  }
  return { measure, playerLoop, players, latest, ...heard, change, forbid, replaceFiles, state }
}

export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
export const playing = (positionMs = 0): Partial<Timeline> => ({
  isPlaying: true,
  positionMs,
  atServerMs: serverNow(),
  sequenceNumber: 200,
})
