import type { youtube_v3 } from '@googleapis/youtube'
import { toIsoDuration, type DoublePlaylist, type DoubleVideo } from './videos.ts'

/** The resources of the Data API. Google's own types check their shape. */

type ThumbnailDetails = youtube_v3.Schema$ThumbnailDetails

const publishedAt = '2019-06-01T12:00:00Z'
const channelId = (title: string) =>
  `UC${Buffer.from(title).toString('base64url').padEnd(22, '0').slice(0, 22)}`
const etagOf = (...parts: string[]) => Buffer.from(parts.join('/')).toString('base64url').slice(0, 27)

function toThumbnails(videoId: string): ThumbnailDetails {
  const at = (name: string) => `https://i.ytimg.com/vi/${videoId}/${name}.jpg`
  return {
    default: { url: at('default'), width: 120, height: 90 },
    medium: { url: at('mqdefault'), width: 320, height: 180 },
    high: { url: at('hqdefault'), width: 480, height: 360 },
  }
}

const liveContent = (video: DoubleVideo) => (video.isLive ? 'live' : 'none')

/** Replaces the characters that YouTube's search escapes in titles. */
export const escapeTitle = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** A video of `videos.list`, with the parts asked for. */
export function toVideoResource(video: DoubleVideo, parts: ReadonlySet<string>): youtube_v3.Schema$Video {
  return {
    kind: 'youtube#video',
    etag: etagOf('video', video.id),
    id: video.id,
    ...(parts.has('snippet') && {
      snippet: {
        publishedAt,
        channelId: channelId(video.channelTitle),
        title: video.title,
        description: '',
        thumbnails: toThumbnails(video.id),
        channelTitle: video.channelTitle,
        categoryId: video.categoryId,
        liveBroadcastContent: liveContent(video),
        localized: { title: video.title, description: '' },
      },
    }),
    ...(parts.has('contentDetails') && {
      contentDetails: {
        duration: toIsoDuration(video),
        dimension: '2d',
        definition: 'hd',
        caption: 'false',
        licensedContent: true,
        ...(video.regions && {
          regionRestriction:
            'allowed' in video.regions
              ? { allowed: video.regions.allowed }
              : { blocked: video.regions.blocked },
        }),
        contentRating: video.isAgeRestricted ? { ytRating: 'ytAgeRestricted' } : {},
        projection: 'rectangular',
      },
    }),
    ...(parts.has('status') && {
      status: {
        uploadStatus: 'processed',
        privacyStatus: video.privacy,
        license: 'youtube',
        embeddable: video.isEmbeddable,
        publicStatsViewable: true,
        madeForKids: false,
      },
    }),
  }
}

/** A hit of `search.list`. Its texts are HTML-escaped, those of the other calls are not. */
export function toSearchResult(video: DoubleVideo): youtube_v3.Schema$SearchResult & { snippet: object } {
  return {
    kind: 'youtube#searchResult',
    etag: etagOf('hit', video.id),
    id: { kind: 'youtube#video', videoId: video.id },
    snippet: {
      publishedAt,
      channelId: channelId(video.channelTitle),
      title: escapeTitle(video.title),
      description: '',
      thumbnails: toThumbnails(video.id),
      channelTitle: escapeTitle(video.channelTitle),
      liveBroadcastContent: liveContent(video),
    },
  }
}

const gone = {
  deleted: {
    title: 'Deleted video',
    description: 'This video is unavailable.',
    privacy: 'privacyStatusUnspecified',
  },
  private: { title: 'Private video', description: 'This video is private.', privacy: 'private' },
}

export interface PlaylistEntry {
  playlist: DoublePlaylist
  position: number
  videoId: string
  /** Null for a deleted video. */
  video: DoubleVideo | null
}

/** An entry of `playlistItems.list`. Deleted and private videos stay in the list, without their details. */
export function toPlaylistItem(
  entry: PlaylistEntry,
  parts: ReadonlySet<string>,
): youtube_v3.Schema$PlaylistItem {
  const { playlist, position, videoId, video } = entry
  const missing = !video ? gone.deleted : video.privacy === 'private' ? gone.private : null
  return {
    kind: 'youtube#playlistItem',
    etag: etagOf('item', playlist.id, String(position)),
    id: Buffer.from(`${playlist.id}.${position}`).toString('base64url'),
    ...(parts.has('snippet') && {
      snippet: {
        publishedAt,
        channelId: channelId(playlist.channelTitle),
        title: missing?.title ?? video?.title,
        description: missing?.description ?? '',
        thumbnails: missing ? {} : toThumbnails(videoId),
        channelTitle: playlist.channelTitle,
        playlistId: playlist.id,
        position,
        resourceId: { kind: 'youtube#video', videoId },
        ...(!missing &&
          video && {
            videoOwnerChannelTitle: video.channelTitle,
            videoOwnerChannelId: channelId(video.channelTitle),
          }),
      },
    }),
    ...(parts.has('contentDetails') && {
      contentDetails: { videoId, ...(!missing && { videoPublishedAt: publishedAt }) },
    }),
    ...(parts.has('status') && { status: { privacyStatus: missing?.privacy ?? video?.privacy } }),
  }
}

/** A playlist of `playlists.list`. */
export function toPlaylistResource(
  playlist: DoublePlaylist,
  parts: ReadonlySet<string>,
): youtube_v3.Schema$Playlist {
  const [first] = playlist.videoIds
  return {
    kind: 'youtube#playlist',
    etag: etagOf('playlist', playlist.id),
    id: playlist.id,
    ...(parts.has('snippet') && {
      snippet: {
        publishedAt,
        channelId: channelId(playlist.channelTitle),
        title: playlist.title,
        description: '',
        thumbnails: first === undefined ? {} : toThumbnails(first),
        channelTitle: playlist.channelTitle,
        localized: { title: playlist.title, description: '' },
      },
    }),
    ...(parts.has('contentDetails') && { contentDetails: { itemCount: playlist.videoIds.length } }),
    ...(parts.has('status') && { status: { privacyStatus: 'public' } }),
  }
}
