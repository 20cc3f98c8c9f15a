import type { ListenerSync } from '@earshot/core/protocol/sync-report'

/** The place of a face beside the cover. */
export interface RingPlace {
  /** -1 for the left, 1 for the right. */
  side: -1 | 1
  /** 0 at the middle of the cover, negative above it; neighbours are 1 apart. */
  row: number
}

/** Places faces in two columns left and right of the cover. */
export function placeFaces(count: number): RingPlace[] {
  return Array.from({ length: count }, (_, index) => {
    const side = index % 2 === 0 ? -1 : 1
    const onSide = side === -1 ? Math.ceil(count / 2) : Math.floor(count / 2)
    return { side, row: Math.floor(index / 2) - (onSide - 1) / 2 }
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
