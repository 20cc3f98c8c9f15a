import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { TrackMatch, UnplayableReason } from '@earshot/core/protocol/providers'
import { callApi } from '../../api/call-api.ts'
import type { RoomContext } from '../commands.ts'
import { hasNoPremium, rememberNoPremium } from '../device/device-settings.ts'
import { update, type RoomState, type RoomStore, watchConfirmed } from '../state/room-state.ts'

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
  { roomId, store, connection }: Pick<RoomContext, 'roomId' | 'store' | 'connection'>,
  reasonOf: (track: Track) => UnplayableReason | null,
): PlayabilityReports {
  let sent: Unplayable | null = null
  let hasJoined = false

  const send = async (own: Unplayable) => {
    sent = own
    const unplayable = Object.entries(own).map(([trackId, reason]) => ({ trackId, reason }))
    try {
      const counts = await connection.call('playability_report', { roomId, unplayable })
      update(store, (state) => ({ ...state, unplayable: counts.unplayable }))
    } catch {
      // Sent again with the next change, and after rejoining.
      sent = null
    }
  }
  const refresh = () => {
    const { confirmed, ownUnplayable } = store.getState()
    const own = findUnplayable(confirmed, reasonOf)
    if (!isSame(own, ownUnplayable)) update(store, (state) => ({ ...state, ownUnplayable: own }))
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

/** Whether this listener can play Spotify's tracks: known before anything of Spotify is loaded. */
export interface SpotifyAccess {
  /** Returns why this listener can play none of them; null if that is not known. */
  reason(): UnplayableReason | null
  /** Asks the server whether the account is connected. Has no effect within 10 s after the last time. */
  check(): Promise<void>
  /** Adopts the player's reason why it could not play a track. */
  onUnsupported(reason: UnplayableReason): void
}

const checkEveryMs = 10_000

/** @param onChange called when the reason has changed */
export function createSpotifyAccess(userId: string, onChange: () => void): SpotifyAccess {
  let reason: UnplayableReason | null = null
  let checkedAtMs = -Infinity
  /** Changes when the user connects another account. */
  let account = userId

  const set = (next: UnplayableReason | null) => {
    if (next === reason) return
    reason = next
    onChange()
  }
  const read = async (): Promise<UnplayableReason | null> => {
    const { connection } = await callApi('GET /api/spotify', {})
    if (!connection.isConnected || connection.mustReconnect) return 'not_connected'
    account = `${userId} ${connection.authorizedAt ?? ''}`
    // What the browser lacks does not change with the account.
    if (reason === 'no_drm') return reason
    return hasNoPremium(account, Date.now()) ? 'no_premium' : null
  }

  return {
    reason: () => reason,
    async check() {
      if (Date.now() - checkedAtMs < checkEveryMs) return
      checkedAtMs = Date.now()
      try {
        set(await read())
      } catch (error) {
        // Any other failure leaves the reason open until the player reports it.
        if (error instanceof AppError && error.code === 'unauthenticated') set('not_connected')
      }
    },
    onUnsupported(next) {
      if (next !== 'not_connected' && next !== 'no_premium' && next !== 'no_drm') return
      if (next === 'no_premium') rememberNoPremium(account, Date.now())
      set(next)
    },
  }
}

/**
 * Checks the account while the room has tracks of Spotify: when they come, and when the page becomes visible. Returns a
 * function that stops it.
 */
export function followSpotifyAccount(store: RoomStore, access: Pick<SpotifyAccess, 'check'>): () => void {
  const check = () => {
    const tracks = upcoming(store.getState().confirmed)
    if (!document.hidden && tracks.some(({ source }) => source === 'spotify')) void access.check()
  }
  check()
  const unsubscribe = watchConfirmed(store, check)
  document.addEventListener('visibilitychange', check)
  return () => {
    unsubscribe()
    document.removeEventListener('visibilitychange', check)
  }
}
