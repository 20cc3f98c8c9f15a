import type {
  Device,
  Episode,
  Image,
  Page,
  PlaybackState,
  PlaylistedTrack,
  SimplifiedAlbum,
  SimplifiedPlaylist,
  Track,
  TrackReference,
  UserReference,
} from '@spotify/web-api-ts-sdk'

/** The answers of the Web API: the published types without the fields that were removed in February 2026. */

type AlbumAnswer = Omit<
  SimplifiedAlbum,
  'album_group' | 'available_markets' | 'copyrights' | 'external_ids' | 'genres' | 'label' | 'popularity'
>

/** Any field of a track in a user's folder but its name is empty. */
export type TrackAnswer = Omit<
  Track,
  | 'album'
  | 'available_markets'
  | 'episode'
  | 'external_ids'
  | 'linked_from'
  | 'popularity'
  | 'preview_url'
  | 'track'
> & {
  album: AlbumAnswer
  external_ids: { isrc?: string }
}

export type LocalTrackAnswer = Omit<
  TrackAnswer,
  'id' | 'href' | 'external_urls' | 'album' | 'external_ids'
> & {
  id: null
  href: null
  external_urls: Record<string, never>
  external_ids: Record<string, never>
  album: { name: string; images: Image[]; id: null; uri: null; type: 'album' }
}

export type EpisodeAnswer = Pick<
  Episode,
  | 'duration_ms'
  | 'explicit'
  | 'external_urls'
  | 'href'
  | 'id'
  | 'images'
  | 'is_playable'
  | 'name'
  | 'release_date'
  | 'release_date_precision'
  | 'type'
  | 'uri'
>

export interface SearchAnswer {
  tracks: Page<TrackAnswer>
}

/** Without `email`, `country`, `product`, `followers` and `explicit_content`. */
export type ProfileAnswer = Omit<UserReference, 'display_name'> & {
  display_name: string | null
  images: Image[]
}

type PlaylistFields = Omit<SimplifiedPlaylist, 'followers' | 'tracks'>

/** The field `tracks` became `items`. */
export type PlaylistAnswer = PlaylistFields & { items: TrackReference }
export type OldPlaylistAnswer = PlaylistFields & { tracks: TrackReference }

type AnyItem = TrackAnswer | LocalTrackAnswer | EpisodeAnswer | null
type EntryFields = Pick<PlaylistedTrack, 'added_at' | 'added_by' | 'is_local'>

/** The field `track` became `item`. Null: the track has left the catalogue. */
export type EntryAnswer = EntryFields & { item: AnyItem }
export type OldEntryAnswer = EntryFields & { track: AnyItem }

/** `items` is absent for playlists of others. */
export type FullPlaylistAnswer = PlaylistFields & { items?: Page<EntryAnswer> }
export type OldFullPlaylistAnswer = PlaylistFields & { tracks: Page<OldEntryAnswer> }

export type DeviceAnswer = Device & { supports_volume: boolean }

export type PlaybackAnswer = Omit<PlaybackState, 'device' | 'item'> & {
  device: DeviceAnswer
  item: TrackAnswer | null
}

/** The body of a refusal. */
export interface ErrorAnswer {
  error: { status: number; message: string; reason?: string }
}
