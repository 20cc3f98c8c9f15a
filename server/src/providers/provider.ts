import type { Source, SourceStatus, Track } from '@earshot/core/protocol/entities'
import type { LinkTarget, PlaylistPage } from '@earshot/core/protocol/providers'

/** A requested part of a list; `offset` counts from 0. */
export interface Page {
  offset: number
  limit: number
}

/** A part of a list, and the length of the whole list. */
export interface TracksFound {
  tracks: Track[]
  total: number
  /** Where the next part begins, if not after the tracks of this one; null at the end. */
  nextOffset?: number | null
}

/** A source of tracks. Every track is stored before it is returned, so that its id is enough to queue it. */
export interface TrackProvider {
  readonly source: Source

  /**
   * Whether the source works on this server now. If not, the reason explains how to fix it. `searchPausedUntil` is that
   * of the user; for a visitor (null) only what holds for everybody.
   */
  status(userId: string | null): SourceStatus | Promise<SourceStatus>

  /**
   * Finds the tracks that match a query, best first; the order is stable across pages. A blank query finds nothing; a
   * page beyond the end is empty, with the same total. A user who is not connected to the source finds nothing (8.4b).
   * @throws AppError source_unavailable, with the status's reason, while the source does not work; provider_limit and
   * provider_failed
   */
  search(query: string, page: Page, userId: string): Promise<TracksFound>

  /**
   * Finds what a pasted link leads to, without a search; null if it is not a link of this source to a track or playlist.
   * The link is parsed and never fetched. @throws AppError as the provider's answer demands
   */
  resolveLink?(link: string, userId: string): Promise<LinkTarget | null>

  /** Reads a part of a playlist; `cursor` is the `nextCursor` of the part before, null for the first. @throws AppError */
  playlist?(id: string, cursor: string | null, userId: string): Promise<PlaylistPage>
}
