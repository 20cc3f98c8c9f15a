import type { Source, SourceStatus, Track } from '@earshot/core/protocol/entities'

/** A requested part of a list; `offset` counts from 0. */
export interface Page {
  offset: number
  limit: number
}

/** A part of a list, and the length of the whole list. */
export interface TracksFound {
  tracks: Track[]
  total: number
}

/** A source of tracks. Every track is stored before it is returned, so that its id is enough to queue it. */
export interface TrackProvider {
  readonly source: Source

  /** Whether the source works on this server now. If not, the reason explains how to fix it. */
  status(): SourceStatus

  /**
   * Finds the tracks that match a query, best first; the order is stable across pages. A blank query finds nothing; a
   * page beyond the end is empty, with the same total. Throws `source_unavailable` with the status's reason while the
   * source does not work.
   */
  search(query: string, page: Page): Promise<TracksFound>
}
