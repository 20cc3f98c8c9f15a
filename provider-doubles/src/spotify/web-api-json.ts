/// <reference types="spotify-web-playback-sdk" />
import type { Image, Page } from '@spotify/web-api-ts-sdk'
import type { SpotifyUser } from './accounts-state.ts'
import { toSpotifyId, type CatalogueTrack } from './catalogue.ts'
import type { DoublePlaylist, PlaylistEntry } from './playlists.ts'
import type {
  DeviceAnswer,
  EntryAnswer,
  EpisodeAnswer,
  LocalTrackAnswer,
  PlaylistAnswer,
  ProfileAnswer,
  TrackAnswer,
} from './web-api-types.ts'

/** Makes answers of the Web API. Images lie below `imagesUrl`. */
export class WebApiJson {
  readonly #apiUrl: () => string
  readonly #imagesUrl: string

  constructor(apiUrl: () => string, imagesUrl: string) {
    this.#apiUrl = apiUrl
    this.#imagesUrl = imagesUrl
  }

  profile({ id, displayName }: SpotifyUser): ProfileAnswer {
    return { ...this.#entity('user', id), display_name: displayName, images: [] }
  }

  track(track: CatalogueTrack): TrackAnswer {
    const artist = { ...this.#entity('artist', toSpotifyId(`artist ${track.artist}`)), name: track.artist }
    return {
      ...this.#entity('track', track.id),
      name: track.title,
      duration_ms: track.durationMs,
      explicit: track.isExplicit,
      is_playable: track.isPlayable,
      is_local: false,
      disc_number: 1,
      track_number: 1,
      external_ids: track.isrc === null ? {} : { isrc: track.isrc },
      ...(track.isPlayable ? {} : { restrictions: { reason: 'market' } }),
      artists: [artist],
      album: {
        ...this.#entity('album', toSpotifyId(`album ${track.album}`)),
        name: track.album,
        album_type: 'album',
        total_tracks: 4,
        release_date: '2025-03-14',
        release_date_precision: 'day',
        images: this.images(track.album),
        artists: [artist],
      },
    }
  }

  /** Makes a track as the Web Playback SDK reports it. */
  sdkTrack(track: CatalogueTrack): Spotify.Track {
    const url = (type: string, id: string) => `https://open.spotify.com/${type}/${id}`
    const artistId = toSpotifyId(`artist ${track.artist}`)
    return {
      id: track.id,
      uri: `spotify:track:${track.id}`,
      uid: '',
      name: track.title,
      duration_ms: track.durationMs,
      is_playable: track.isPlayable,
      type: 'track',
      media_type: 'audio',
      track_type: 'audio',
      linked_from: { uri: null, id: null },
      artists: [{ name: track.artist, uri: `spotify:artist:${artistId}`, url: url('artist', artistId) }],
      album: {
        name: track.album,
        uri: `spotify:album:${toSpotifyId(`album ${track.album}`)}`,
        images: this.images(track.album),
      },
    }
  }

  /** The entries themselves are fetched from `items.href`. */
  playlist(playlist: DoublePlaylist, owner: SpotifyUser): PlaylistAnswer {
    const { href, ...entity } = this.#entity('playlist', playlist.id)
    return {
      ...entity,
      href,
      name: playlist.name,
      description: '',
      collaborative: playlist.isCollaborative,
      public: false,
      primary_color: '',
      snapshot_id: toSpotifyId(`snapshot ${playlist.id} ${playlist.entries.length}`),
      images: playlist.entries.length > 0 ? this.images(playlist.name) : [],
      owner: { ...this.#entity('user', owner.id), display_name: owner.displayName ?? '' },
      items: { href: `${href}/items`, total: playlist.entries.length },
    }
  }

  entry(
    entry: PlaylistEntry,
    ownerId: string,
    findTrack: (id: string) => CatalogueTrack | undefined,
  ): EntryAnswer {
    const fields = {
      added_at: '2026-01-05T19:30:00Z',
      added_by: this.#entity('user', ownerId),
      is_local: entry.kind === 'local',
    }
    if (entry.kind === 'episode') return { ...fields, item: this.#episode(entry.name) }
    if (entry.kind === 'local') return { ...fields, item: localTrack(entry.name) }
    const track = entry.kind === 'track' ? findTrack(entry.trackId) : undefined
    return { ...fields, item: track ? this.track(track) : null }
  }

  device(device: { id: string; name: string; volume: number }, isActive: boolean): DeviceAnswer {
    return {
      id: device.id,
      is_active: isActive,
      is_private_session: false,
      is_restricted: false,
      name: device.name,
      type: 'Computer',
      volume_percent: Math.round(device.volume * 100),
      supports_volume: true,
    }
  }

  /** Makes a page of `items`. @param path of the list, with its query but without limit and offset */
  page<Item>(items: Item[], { path, limit, offset, total }: PageOptions): Page<Item> {
    const at = (start: number) => {
      const url = new URL(path, this.#apiUrl())
      url.searchParams.set('offset', String(start))
      url.searchParams.set('limit', String(limit))
      return url.href
    }
    return {
      href: at(offset),
      items,
      limit,
      next: offset + limit < total ? at(offset + limit) : null,
      offset,
      previous: offset > 0 ? at(Math.max(0, offset - limit)) : null,
      total,
    }
  }

  images(name: string): Image[] {
    const id = Buffer.from(toSpotifyId(`image ${name}`))
      .toString('hex')
      .slice(0, 40)
    return [640, 300, 64].map((size) => ({ url: `${this.#imagesUrl}/${id}`, width: size, height: size }))
  }

  #episode(name: string): EpisodeAnswer {
    return {
      ...this.#entity('episode', toSpotifyId(`episode ${name}`)),
      name,
      duration_ms: 1_800_000,
      explicit: false,
      images: this.images(name),
      is_playable: true,
      release_date: '2026-01-02',
      release_date_precision: 'day',
    }
  }

  #entity(type: string, id: string) {
    return {
      id,
      type,
      uri: `spotify:${type}:${id}`,
      href: `${this.#apiUrl()}/v1/${type}s/${id}`,
      external_urls: { spotify: `https://open.spotify.com/${type}/${id}` },
    }
  }
}

interface PageOptions {
  path: string
  limit: number
  offset: number
  total: number
}

function localTrack(name: string): LocalTrackAnswer {
  return {
    id: null,
    href: null,
    uri: `spotify:local:::${encodeURIComponent(name)}:180`,
    type: 'track',
    name,
    duration_ms: 180_000,
    explicit: false,
    is_local: true,
    is_playable: true,
    disc_number: 0,
    track_number: 0,
    external_urls: {},
    external_ids: {},
    artists: [],
    album: { name: '', images: [], id: null, uri: null, type: 'album' },
  }
}
