import type { Track } from '@earshot/core/protocol/entities'
import { youtubeMessages } from '@earshot/core/protocol/provider-messages'
import type { Playlist, PlaylistPage } from '@earshot/core/protocol/providers'
import type { VideoStore } from './video-store.ts'
import type { YoutubeApi, YoutubePlaylistInfo } from './youtube-api.ts'
import { YoutubeError } from './youtube-error.ts'

const skipReasons: Record<NonNullable<Track['restriction']>, string> = {
  not_embeddable: youtubeMessages.entryNotEmbeddable,
  age_restricted: youtubeMessages.entryOfAge,
  live: youtubeMessages.entryLive,
  removed: youtubeMessages.entryGone,
}

/**
 * Reads up to 50 entries of a playlist. Videos that cannot be played in a room are listed as skipped, with the reason.
 * @throws YoutubeError `missing` if there is no such playlist, or it is private
 */
export async function readPlaylist(
  { api, videos }: { api: YoutubeApi; videos: VideoStore },
  { id, cursor, key }: { id: string; cursor: string | null; key: string },
): Promise<PlaylistPage> {
  const [part, info] = await Promise.all([api.listPlaylist(id, cursor, key), findInfo(api, id, key)])
  const found = await videos.read(
    part.entries.map((entry) => entry.videoId),
    key,
  )
  const page: PlaylistPage = {
    playlist: toPlaylist(id, info, part.total),
    tracks: [],
    skipped: [],
    nextCursor: part.nextCursor,
  }
  for (const { videoId, title } of part.entries) {
    const track = found.get(videoId)
    if (track && !track.restriction) page.tracks.push(track)
    else
      page.skipped.push({
        title: track?.title ?? title,
        reason: skipReasons[track?.restriction ?? 'removed'],
      })
  }
  return page
}

/** The name is a convenience: without it the tracks are listed all the same. */
async function findInfo(api: YoutubeApi, id: string, key: string): Promise<YoutubePlaylistInfo | null> {
  try {
    return await api.findPlaylist(id, key)
  } catch (error) {
    if (error instanceof YoutubeError) return null
    throw error
  }
}

function toPlaylist(id: string, info: YoutubePlaylistInfo | null, total: number | null): Playlist {
  return {
    id,
    source: 'youtube',
    name: info?.name ?? 'YouTube playlist',
    trackCount: info?.trackCount ?? total,
    image: info?.image ?? null,
    ownerName: info?.ownerName ?? null,
  }
}
