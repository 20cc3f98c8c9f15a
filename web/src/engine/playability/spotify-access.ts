import { hasCode } from '@earshot/core/protocol/errors'
import type { UnplayableReason } from '@earshot/core/protocol/providers'
import { callApi } from '../../api/call-api.ts'
import { accountReasons } from '../../players/player-slot.ts'
import { hasNoPremium, rememberNoPremium } from '../device/device-settings.ts'
import { type RoomStore, watch } from '../state/room-state.ts'
import { upcoming } from './playability.ts'

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
/** Spotify's pause of an app lasts hours; it is tried again after this, with the next check. */
const appPauseMs = 300_000

/** @param onChange called when the reason has changed */
export function createSpotifyAccess(userId: string, onChange: () => void): SpotifyAccess {
  let reason: UnplayableReason | null = null
  let checkedAtMs = -Infinity
  let pausedUntilMs = -Infinity
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
    // A browser without DRM has none for any account.
    if (reason === 'no_drm') return reason
    if (Date.now() < pausedUntilMs) return 'app_paused'
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
        if (hasCode(error, 'unauthenticated')) set('not_connected')
      }
    },
    onUnsupported(next) {
      if (!accountReasons.has(next)) return
      if (next === 'no_premium') rememberNoPremium(account, Date.now())
      if (next === 'app_paused') pausedUntilMs = Date.now() + appPauseMs
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
  const unsubscribe = watch(store, ['confirmed'], check)
  document.addEventListener('visibilitychange', check)
  return () => {
    unsubscribe()
    document.removeEventListener('visibilitychange', check)
  }
}
