import type { Door } from '@earshot/core/protocol/door-calls'
import {
  type Message,
  type Profile,
  type QueueEntry,
  type Room,
  type SourceStatus,
  type Track,
  defaultRoomSettings,
} from '@earshot/core/protocol/entities'
import type { PageData } from '@earshot/core/protocol/page-data'
import type { Playlist, SpotifyConnection, YoutubeConnection } from '@earshot/core/protocol/providers'
import { emptyTimeline, toPlaybackState } from '@earshot/core/sync/timeline'

/** Complete entities for tests; each test overrides the fields it depends on. */

export function makeTrack(part: Partial<Track> = {}): Track {
  const none = { albumArt: null, album_art: null, url: null, uri: null }
  return {
    id: 't1',
    title: 'Night Ferry',
    artist: 'Lanterns',
    album: 'Quay',
    duration: 200_000,
    source: 'library',
    ...none,
    ...part,
  }
}

export function makeEntry(part: Partial<QueueEntry> = {}): QueueEntry {
  return { ...makeTrack(part), entry_id: 'e1', position: 0, added_by: 'u1', ...part }
}

export function makeRoom(part: Partial<Room> = {}): Room {
  return {
    id: 'r1',
    name: 'Kitchen Radio',
    owner_id: 'u1',
    owner: { username: 'ann', avatar_url: null },
    is_public: true,
    preferred_source: 'library',
    is_playing: false,
    current_position: 0,
    last_updated: 0,
    current_track_id: null,
    currentTrack: null,
    listeners: 0,
    playback_state: toPlaybackState(emptyTimeline, null),
    created_at: Date.now(),
    settings: defaultRoomSettings,
    controller: null,
    ...part,
  }
}

export function makeMessage(part: Partial<Message> = {}): Message {
  return {
    id: 'm1',
    room_id: 'r1',
    user_id: 'u1',
    username: 'ann',
    avatar_url: null,
    content: 'Hello',
    created_at: 0,
    ...part,
  }
}

export function makeProfile(part: Partial<Profile> = {}): Profile {
  const flags = { spotify_connected: false, youtube_connected: false, match_elsewhere: false }
  const texts = { email: 'ann@example.org', username: 'ann', full_name: '', avatar_url: null }
  return { id: 'u1', ...texts, preferred_source: 'library', ...flags, ...part }
}

export function makeYoutubeTrack(id: string, part: Partial<Track> = {}): Track {
  const url = `https://www.youtube.com/watch?v=${id}`
  return makeTrack({ id: `youtube:${id}`, source: 'youtube', title: `Video ${id}`, url, ...part })
}

export function makeSpotifyTrack(id: string, part: Partial<Track> = {}): Track {
  const addresses = { url: `https://open.spotify.com/track/${id}`, uri: `spotify:track:${id}` }
  return makeTrack({ id: `spotify:${id}`, source: 'spotify', title: `Song ${id}`, ...addresses, ...part })
}

export function makePlaylist(part: Partial<Playlist> = {}): Playlist {
  const facts = { name: 'Rainy Sunday', trackCount: 2, image: null, ownerName: 'ann' }
  return { id: 'PL1', source: 'youtube', ...facts, ...part }
}

export function makeSources(part: { spotify?: boolean; youtube?: boolean } = {}): SourceStatus[] {
  return [
    { source: 'library', available: true, reason: null },
    {
      source: 'spotify',
      available: part.spotify ?? false,
      reason: part.spotify ? null : 'Set SPOTIFY_CLIENT_ID',
    },
    {
      source: 'youtube',
      available: part.youtube ?? false,
      reason: part.youtube ? null : 'Set YOUTUBE_API_KEY',
    },
  ]
}

export function makeConfig(part: Partial<PageData['config']> = {}): PageData['config'] {
  return { socketServers: [], version: '1', googleSignIn: false, mailConfirmation: false, ...part }
}

export function makeSpotify(part: Partial<SpotifyConnection> = {}): SpotifyConnection {
  const states = { isConnected: false, expiresSoon: false, mustReconnect: false }
  return { ...states, displayName: null, authorizedAt: null, ...part }
}

export function makeYoutube(part: Partial<YoutubeConnection> = {}): YoutubeConnection {
  return { isConnected: false, hasOwnKey: false, hasServerKey: true, quota: null, ...part }
}

/** The sign-in library's answer for a signed-in user. */
export function makeSession() {
  const at = new Date(Date.now()).toISOString()
  const times = { createdAt: at, updatedAt: at }
  return {
    session: {
      id: 's1',
      userId: 'u1',
      token: 't',
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      ...times,
    },
    user: { id: 'u1', name: 'ann', email: 'ann@example.org', image: null, emailVerified: true, ...times },
  }
}

/** The door of a public room. */
export function makeDoor(part: Partial<Door> = {}): Door {
  return {
    id: 'r1',
    name: 'Friday kitchen',
    owner: { username: 'ann', avatar: null },
    isPublic: true,
    listeners: 2,
    faces: [
      { username: 'ann', avatar: null },
      { username: 'bob', avatar: null },
    ],
    track: { title: 'Neon Harbour', artist: 'Ida', art: null },
    isPlaying: true,
    isInvited: false,
    guests: 'everyone',
    guestsMayCome: true,
    asksPassword: false,
    ...part,
  }
}
