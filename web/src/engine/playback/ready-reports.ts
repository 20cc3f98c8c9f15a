import type { Track } from '@earshot/core/protocol/entities'
import type { Timeline } from '@earshot/core/sync/timeline'
import type { Due } from '../../players/player.ts'
import type { PlayerSlot } from '../../players/player-slot.ts'
import { isNearEnd, type RoomToFollow } from './room-to-follow.ts'
import { wallNow } from '../../wall-clock.ts'

export interface ReadyReportsParts {
  /** A cued track is loaded and buffered, or cannot be played here: the room need not wait for this listener. */
  onCueReady: (sequenceNumber: number) => void
  /** The same for the track that follows the one which plays by this number. */
  onNextReady: (sequenceNumber: number, trackId: string) => void
}

/** Reports to the server, once each, that the room need not wait for this listener: with a cue, and with the next track. */
export interface ReadyReports {
  note(timeline: Timeline): void
  /** Reports the cue noted last, even if it has started: the server stops waiting for members who never report. */
  reportCue(timeline: Timeline): void
  /** Call while the room is not heard here: reports at once what is to be reported. */
  onNotHeard(room: HeardRoom): void
  /** Call while the current track is loaded: reports its cue, and preloads and reports the next track. */
  onLoaded(room: HeardRoom): void
}

/** A track is loaded ahead once it has been the next one for so long: a queue that changes all the time costs no downloads. */
const settledAfterMs = { soon: 1_000, later: 5_000 }

type HeardRoom = Pick<RoomToFollow, 'timeline' | 'nextTrack'>

export function createReadyReports(
  { onCueReady, onNextReady }: ReadyReportsParts,
  slot: Pick<PlayerSlot, 'prepare' | 'unplayableReason'>,
  serverNow: () => number,
): ReadyReports {
  let unreported: number | null = null
  let noted: number | null = null
  let reportedNext = ''
  let nextSince = { trackId: '', atMs: 0 }

  const reportCue = ({ trackId }: Timeline) => {
    if (trackId === null || unreported === null) return
    onCueReady(unreported)
    unreported = null
  }
  const reportNext = ({ sequenceNumber }: Timeline, { id }: Track) => {
    const next = `${sequenceNumber} ${id}`
    if (next === reportedNext) return
    reportedNext = next
    onNextReady(sequenceNumber, id)
  }

  /** Returns when the next track is due; null in a room that does not play, and for one that has just come there. */
  const dueOf = (timeline: Timeline, { id: trackId }: Track): Due | null => {
    const nowMs = wallNow()
    if (nextSince.trackId !== trackId) nextSince = { trackId, atMs: nowMs }
    const due = isNearEnd(timeline, serverNow()) ? 'soon' : 'later'
    return timeline.isPlaying && nowMs - nextSince.atMs >= settledAfterMs[due] ? due : null
  }

  return {
    note({ isCueing, sequenceNumber }) {
      if (!isCueing || sequenceNumber === noted) return
      noted = sequenceNumber
      unreported = sequenceNumber
    },
    reportCue,
    onNotHeard({ timeline, nextTrack }) {
      reportCue(timeline)
      if (nextTrack && dueOf(timeline, nextTrack)) reportNext(timeline, nextTrack)
    },
    onLoaded({ timeline, nextTrack }) {
      reportCue(timeline)
      if (!nextTrack) return
      const due = dueOf(timeline, nextTrack)
      const isUnplayable = due !== null && slot.unplayableReason(nextTrack) !== null
      if (slot.prepare(nextTrack, due) || isUnplayable) reportNext(timeline, nextTrack)
    },
  }
}
