/**
 * The tables, for Kysely. Neutral between SQLite and PostgreSQL: text ids, times in ms as bigint (read as numbers),
 * flags as 0 or 1, JSON as text. The tables of the sign-in library (user, session, account, verification) are made
 * by the same migrations and belong to it.
 */
export interface Database {
  profiles: ProfilesTable
  rooms: RoomsTable
  tracks: TracksTable
  room_tracks: RoomTracksTable
  user_rooms: UserRoomsTable
  room_access: RoomAccessTable
  messages: MessagesTable
  library_files: LibraryFilesTable
}

export interface ProfilesTable {
  id: string
  username: string
  full_name: string
  avatar_url: string | null
  preferred_source: string
  spotify_connected: number
  youtube_connected: number
  /** Encrypted. */
  spotify_tokens: string | null
  created_at: number
}

export interface RoomsTable {
  id: string
  name: string
  owner_id: string
  is_public: number
  /** Hash and salt; null in a public room. */
  password: string | null
  preferred_source: string
  is_playing: number
  current_position: number
  /** The timeline's `atServerMs`. */
  last_updated: number
  current_track_id: string | null
  sequence_number: number
  /** JSON: cue, recent command ids, whether the room ever played. */
  playback_state: string
  /** When the server must act next (end of track, cue deadline), or null. */
  due_at: number | null
  created_at: number
}

export interface TracksTable {
  id: string
  title: string
  artist: string
  album: string
  duration: number
  source: string
  album_art: string | null
  url: string | null
  uri: string | null
  fetched_at: number
}

export interface RoomTracksTable {
  entry_id: string
  room_id: string
  track_id: string
  position: number
  added_by: string | null
  added_at: number
}

/** Membership: present while somebody is in the room. */
export interface UserRoomsTable {
  user_id: string
  room_id: string
  joined_at: number
}

/** Who gave a private room's password once. */
export interface RoomAccessTable {
  room_id: string
  user_id: string
  granted_at: number
}

export interface MessagesTable {
  id: string
  room_id: string
  user_id: string
  content: string
  created_at: number
}

export interface LibraryFilesTable {
  track_id: string
  /** Relative to the music folder, with forward slashes. */
  path: string
  size: number
  modified_at: number
  mime_type: string
  has_art: number
  /** The image beside the file that is its cover, relative to the music folder; null where the cover is in the file. */
  cover_path: string | null
  /** Title, artist and album, one a line, without case and accents: what search compares. */
  search_text: string
  /** Artist, album and title likewise: the order of browsing. */
  sort_text: string
}
