import type { ListenerSync } from '@earshot/core/protocol/sync-report'

/** The place of a face beside the cover. */
export interface RingPlace {
  /** -1 for the left, 1 for the right. */
  side: -1 | 1
  /** From -1 (top) to 1 (bottom). */
  height: number
}

const farthest = 0.86
const gap = 0.32

/** Places faces in two arcs left and right of the cover, close together where they are few. */
export function placeFaces(count: number): RingPlace[] {
  return Array.from({ length: count }, (_, index) => {
    const side = index % 2 === 0 ? -1 : 1
    const onSide = side === -1 ? Math.ceil(count / 2) : Math.floor(count / 2)
    const spread = Math.min(farthest, ((onSide - 1) * gap) / 2)
    const share = onSide === 1 ? 0 : (2 * Math.floor(index / 2)) / (onSide - 1) - 1
    return { side, height: share * spread }
  })
}

const turnPerMs = 2
const mostDegrees = 120

/** How far the arc of a face is turned from the cover, in degrees: 0 in sync; null without a figure. */
export function arcDegrees(sync: ListenerSync | undefined): number | null {
  if (!sync || sync.errorMs === null) return null
  if (sync.cause !== 'in_sync' && sync.cause !== 'correcting') return null
  return Math.max(-mostDegrees, Math.min(mostDegrees, Math.round(sync.errorMs) * turnPerMs))
}

/** Whether everybody of whom there is a report is in sync. */
export function areAligned(reports: readonly (ListenerSync | undefined)[]): boolean {
  const known = reports.filter((report) => report !== undefined)
  return known.length > 1 && known.every(({ cause }) => cause === 'in_sync')
}
