import { createHmac, hkdfSync } from 'node:crypto'
import type { Clock } from '@earshot/core/clock'
import { isSameSecret } from './tokens.ts'
import { serverLimits } from '../server-limits.ts'

/**
 * Permits to load the cover of one track without a session: for the door of a private room, which is shown to who has an
 * invite (decision 090). A permit is part of the cover's address. It opens nothing else, and ends by itself.
 */
export interface CoverGrants {
  /** Adds a permit to the address of a library track's cover; returns any other address as it is. */
  sign(art: string, trackId: string): string
  /** Whether a permit is of this track and has not ended. */
  admits(trackId: string, grant: string): boolean
}

const keyBytes = 32

export function createCoverGrants({ clock, secret }: { clock: Clock; secret: string }): CoverGrants {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'earshot:cover-grants', keyBytes))
  const grantFor = (trackId: string, period: number): string =>
    `${period}.${createHmac('sha256', key).update(`${period} ${trackId}`).digest('base64url')}`
  /** Addresses change once a period: the door asks every few seconds, and must not load the cover anew. */
  const periodNow = (): number => Math.floor(clock.now() / serverLimits.coverGrantMs)
  return {
    sign(art, trackId) {
      if (!art.startsWith('/api/tracks/')) return art
      return `${art}${art.includes('?') ? '&' : '?'}grant=${grantFor(trackId, periodNow())}`
    },
    admits(trackId, grant) {
      const period = Number.parseInt(grant, 10)
      const age = periodNow() - period
      return (age === 0 || age === 1) && isSameSecret(grant, grantFor(trackId, period))
    },
  }
}
