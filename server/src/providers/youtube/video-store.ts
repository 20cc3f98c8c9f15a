import type { Clock } from '@earshot/core/clock'
import type { Track } from '@earshot/core/protocol/entities'
import { toTrackId } from '@earshot/core/protocol/providers'
import type { Db } from '../../db/database.ts'
import { findTracks, upsertTracks } from '../../db/tracks.ts'
import { markVideosRemoved } from '../../db/youtube.ts'
import { type Video, toTrack } from './video-track.ts'
import type { YoutubeApi } from './youtube-api.ts'

/** Stores videos as tracks, so that their ids are enough to queue them (7.4). */
export interface VideoStore {
  /**
   * Reads up to 50 videos with a key and stores them. Resolves to their tracks by video id; videos that no longer
   * exist are missing, and their stored tracks marked as removed. @throws YoutubeError
   */
  read(videoIds: string[], key: string): Promise<Map<string, Track>>
  /** Marks the stored tracks of videos that no longer exist. */
  markRemoved(videoIds: string[]): Promise<void>
  /** Stores videos without details. Keeps what is known of their restrictions and durations. */
  storeUnchecked(videos: Video[]): Promise<Track[]>
}

export function createVideoStore(parts: { db: Db; clock: Clock; api: YoutubeApi }): VideoStore {
  const { db, clock, api } = parts

  /** Resolves to the tracks as stored: a known duration stays where the new one is unknown. */
  const store = async (tracks: Track[]): Promise<Track[]> => {
    await upsertTracks(db, tracks, clock.now())
    const stored = await findTracks(
      db,
      tracks.map((track) => track.id),
    )
    return tracks.map((track) => stored.get(track.id) ?? track)
  }

  const markRemoved = (videoIds: string[]): Promise<void> =>
    markVideosRemoved(
      db,
      videoIds.map((id) => toTrackId('youtube', id)),
    )

  return {
    markRemoved,
    async read(videoIds, key) {
      const ids = [...new Set(videoIds)]
      const found = new Map((await api.listVideos(ids, key)).map((video) => [video.id, video]))
      await markRemoved(ids.filter((id) => !found.has(id)))
      const videos = ids.flatMap((id) => found.get(id) ?? [])
      const tracks = await store(videos.map(toTrack))
      return new Map(videos.flatMap(({ id }, index) => (tracks[index] ? [[id, tracks[index]]] : [])))
    },
    async storeUnchecked(videos) {
      const tracks = videos.map(toTrack)
      const known = await findTracks(
        db,
        tracks.map((track) => track.id),
      )
      return await store(
        tracks.map((track) => {
          const { restriction, regional } = known.get(track.id) ?? {}
          return { ...track, restriction: track.restriction ?? restriction ?? null, regional }
        }),
      )
    },
  }
}
