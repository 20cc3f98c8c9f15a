import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import type { TrackMatch, UnplayableReason } from '@earshot/core/protocol/providers'
import type { RoomParts } from '../room-actions.ts'
import type { RoomState } from '../state/room-state.ts'

/** Why nobody can play a track in a room, as the reason of this listener. */
const restrictionReasons: Record<NonNullable<Track['restriction']>, UnplayableReason> = {
  not_embeddable: 'not_embeddable',
  age_restricted: 'blocked',
  live: 'live',
  removed: 'removed',
}

/** The reasons why this listener cannot play tracks, by track id. */
type Unplayable = RoomState['ownUnplayable']

/** Finds the tracks among the current and the next ones that this listener cannot play. */
export function findUnplayable(
  { track, queue }: Pick<RoomState['confirmed'], 'track' | 'queue'>,
  reasonOf: (track: Track) => UnplayableReason | null,
): Unplayable {
  return Object.fromEntries(
    upcoming({ track, queue }).flatMap((each) => {
      const reason = each.restriction ? restrictionReasons[each.restriction] : reasonOf(each)
      return reason === null ? [] : [[each.id, reason] as const]
    }),
  )
}

/** Returns the current and the next tracks, as many as are reported. */
export const upcoming = ({ track, queue }: Pick<RoomState['confirmed'], 'track' | 'queue'>): Track[] =>
  [...(track ? [track] : []), ...queue].slice(0, limits.playabilityReportSize)

/** Keeps the room informed about which tracks this listener cannot play. */
export interface PlayabilityReports {
  /** Finds the tracks again and sends them if they changed. */
  refresh(): void
  /** Sends them even if unchanged: after joining, the server has none. */
  restart(): void
}

export function createPlayabilityReports(
  { roomId, store, connection }: Pick<RoomParts, 'roomId' | 'store' | 'connection'>,
  reasonOf: (track: Track) => UnplayableReason | null,
): PlayabilityReports {
  let sent: Unplayable | null = null
  let hasJoined = false

  const send = async (own: Unplayable) => {
    sent = own
    const unplayable = Object.entries(own).map(([trackId, reason]) => ({ trackId, reason }))
    try {
      const counts = await connection.call('playability_report', { roomId, unplayable })
      store.setState({ unplayable: counts.unplayable })
    } catch {
      // Sent again with the next change, and after rejoining.
      sent = null
    }
  }
  const refresh = () => {
    const { confirmed, ownUnplayable } = store.getState()
    const own = findUnplayable(confirmed, reasonOf)
    if (!isSame(own, ownUnplayable)) store.setState({ ownUnplayable: own })
    if (hasJoined && (sent === null || !isSame(own, sent))) void send(own)
  }
  return {
    refresh,
    restart() {
      sent = null
      hasJoined = true
      refresh()
    },
  }
}

function isSame(a: Unplayable, b: Unplayable): boolean {
  const ids = Object.keys(a)
  return ids.length === Object.keys(b).length && ids.every((id) => a[id] === b[id])
}

/** Returns the best match that this listener can play; null without one. Spotify's terms allow no such use of it. */
export function pickSubstitute(
  matches: readonly TrackMatch[],
  canPlay: (track: Track) => boolean,
): TrackMatch | null {
  const usable = matches.filter(
    ({ track }) => track.source !== 'spotify' && !track.restriction && canPlay(track),
  )
  return usable.toSorted((a, b) => b.confidence - a.confidence)[0] ?? null
}
