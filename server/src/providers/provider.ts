import type { Source, SourceStatus, Track } from '@earshot/core/protocol/entities'

/** Which part of a list is asked for: `offset` from 0. */
export interface Page {
  offset: number
  limit: number
}

/** A part of a list, and how many there are in all. */
export interface TracksFound {
  tracks: Track[]
  total: number
}

/**
 * Where tracks come from. Every track that a provider finds is stored before it is handed out, so that it can be
 * queued by its id alone.
 */
export interface TrackProvider {
  readonly source: Source

  /** Whether the source works on this server now; where it does not, the reason says what to do about it. */
  status(): SourceStatus

  /**
   * The tracks that match a query, best first, in an order that stays the same from page to page while nothing
   * changes. A blank query finds nothing; a page beyond the end is empty, with the same total. Throws
   * `source_unavailable` with the status's reason while the source does not work.
   */
  search(query: string, page: Page): Promise<TracksFound>
}
