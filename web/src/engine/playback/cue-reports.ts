import type { Timeline } from '@earshot/core/sync/timeline'

/** Reports to the server, once a cue, that this listener is ready to start it. */
export interface CueReports {
  note(timeline: Timeline): void
  /** Reports the cue noted last, even if it has started: the server stops waiting for members who never report. */
  report(timeline: Timeline): void
}

export function createCueReports(send: (sequenceNumber: number) => void): CueReports {
  let unreported: number | null = null
  let noted: number | null = null
  return {
    note({ isCueing, sequenceNumber }) {
      if (!isCueing || sequenceNumber === noted) return
      noted = sequenceNumber
      unreported = sequenceNumber
    },
    report({ trackId }) {
      if (trackId === null || unreported === null) return
      send(unreported)
      unreported = null
    },
  }
}
