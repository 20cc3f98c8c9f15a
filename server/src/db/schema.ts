import type { Generated } from 'kysely'
import type {
  LibraryAlbumsTable,
  LibraryArtistsTable,
  LibraryFilesTable,
  LibraryWaveformsTable,
} from './catalogue/library-schema.ts'

/**
 * The tables, for Kysely. Column types work on SQLite and PostgreSQL: text ids, times in ms as bigint (read as numbers),
 * flags as 0 or 1, JSON as text. The same migrations create the tables of the sign-in library (user, session, account,
 * verification), which only the library uses.
 */
export interface Database {
  profiles: ProfilesTable
  rooms: RoomsTable
  tracks: TracksTable
  room_tracks: RoomTracksTable
  user_rooms: UserRoomsTable
  room_access: RoomAccessTable
  room_invites: RoomInvitesTable
  room_bans: RoomBansTable
  messages: MessagesTable
  library_files: LibraryFilesTable
  library_albums: LibraryAlbumsTable
  library_artists: LibraryArtistsTable
  library_waveforms: LibraryWaveformsTable
  spotify_accounts: SpotifyAccountsTable
  spotify_consents: SpotifyConsentsTable
  youtube_searches: YoutubeSearchesTable
  youtube_quota: YoutubeQuotaTable
  listening_time: ListeningTimeTable
  room_history: RoomHistoryTable
  removed_entries: RemovedEntriesTable
  server_invites: ServerInvitesTable
  admin_codes: AdminCodesTable
  readiness: ReadinessTable
  profile_pictures: ProfilePicturesTable
}

export interface ProfilesTable {
  id: string
  username: string
  full_name: string
  avatar_url: string | null
  preferred_source: string
  spotify_connected: number
  youtube_connected: number
  /** The user's own key, encrypted. */
  youtube_key: string | null
  match_elsewhere: number
  /** Without an account. */
  is_guest: number
  created_at: number
  /** Makes the username unique, with `name_look`. */
  name_key: string
  name_look: string
  /** Whether the user may use the library where only invited users may. */
  library_access: number
  /** The guest who signed up without another name: the account takes theirs once they sign in to it. */
  takes_name_of: string | null
  /** Also those that were deleted or have another owner since. */
  rooms_created: Generated<number>
}

/** One of each user who has set one. */
interface ProfilePicturesTable {
  /** Random: a picture is read by whoever knows its id, and a new one has another. */
  id: string
  user_id: string
  /** A WebP image, in base64. */
  image: string
}

/** Invite links to the server. */
export interface ServerInvitesTable {
  /** SHA-256 of the token. */
  token_hash: string
  note: string
  created_at: number
  expires_at: number
  uses: number
  max_uses: number
  gives_library: number
}

/** The codes that make the first administrator. */
interface AdminCodesTable {
  code_hash: string
  expires_at: number
  attempts_left: number
}

/** The Spotify accounts that users connected. */
export interface SpotifyAccountsTable {
  user_id: string
  /** Sealed JSON {access_token, refresh_token, expires_at}; null after the consent has ended. */
  spotify_tokens: string | null
  /** The account's name at Spotify; null if unknown. */
  display_name: string | null
  /** When the user consented. */
  authorized_at: number
  /** The lease of the process that refreshes the tokens until `lease_until`, or null. */
  lease_id: string | null
  lease_until: number
}

/** Consents that users were sent to Spotify for. */
export interface SpotifyConsentsTable {
  state_hash: string
  user_id: string
  session_id: string
  /** Sealed. */
  verifier: string
  redirect_uri: string
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
  /** JSON: those of `RoomSettings` that differ from the default. */
  settings: string
  /** The user who has the controls while the owner is away, or null. */
  controller_id: string | null
  /** The name without case and accents. */
  search_text: string
  /** Kept by triggers on `user_rooms`. */
  listeners: Generated<number>
}

export interface TracksTable {
  id: string
  title: string
  artist: string
  album: string
  /** Null if unknown. */
  duration: number | null
  source: string
  album_art: string | null
  url: string | null
  uri: string | null
  /** The recording's international code; null if unknown. */
  isrc: string | null
  /** Why nobody can play it in a room; null for a playable track. */
  restriction: string | null
  /** 1 where its provider offers it in some countries only; null where it does in all, or that is unknown. */
  regional: number | null
  /** By which to play it louder, dB, to bring it to the common loudness; null if unknown. */
  gain_db: number | null
  /** Its largest sample, 1 being full scale; null if unknown. */
  peak: number | null
  /** The same of its album. */
  album_gain_db: number | null
  album_peak: number | null
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

/** Tracks that rooms have played. */
export interface RoomHistoryTable {
  /** Sorts by time. */
  id: string
  room_id: string
  track_id: string
  added_by: string | null
  /** When it ended or was skipped. */
  played_at: number
}

/** Queue entries that were removed lately and can be put back. */
export interface RemovedEntriesTable {
  entry_id: string
  room_id: string
  track_id: string
  position: number
  added_by: string | null
  removed_at: number
  /** The same for all that were removed together; null for a single removal. */
  removal_id: string | null
}

/** Memberships: one row while a user is in a room. */
interface UserRoomsTable {
  user_id: string
  room_id: string
  joined_at: number
}

/** Users who once gave a private room's password. */
interface RoomAccessTable {
  room_id: string
  user_id: string
  granted_at: number
}

/** Invite links of rooms. */
interface RoomInvitesTable {
  /** SHA-256 of the token. */
  token_hash: string
  room_id: string
  created_at: number
  expires_at: number
  /** How many users it still admits; null: any number. */
  uses_left: number | null
}

/** Users who may not join a room. */
interface RoomBansTable {
  room_id: string
  user_id: string
  /** Null after that account was deleted. */
  banned_by: string | null
  /** Of a guest: the keyed hash of the address from which they came. Null for an account. */
  address_hash: string | null
  created_at: number
}

export interface MessagesTable {
  id: string
  room_id: string
  user_id: string
  content: string
  created_at: number
  /** The id that the sender's client gave it; unique per room and user. */
  client_message_id: Generated<string | null>
}

/** Stored answers of YouTube searches, by normalised query. */
interface YoutubeSearchesTable {
  query: string
  /** JSON: the ids in the order of the answer. */
  track_ids: string
  searched_at: number
}

/** The searches that a key made on a day of YouTube's quota. */
interface YoutubeQuotaTable {
  /** Derived from the key, which it does not reveal. */
  key_id: string
  /** Such as 2026-11-22, in Pacific time. */
  day: string
  used: number
}

/** The time for which a user listened to each source, in ms. */
interface ListeningTimeTable {
  user_id: string
  library_ms: number
  spotify_ms: number
  youtube_ms: number
  /** The instant up to which time is counted. */
  counted_until: number
}

/** The row that the server writes to find out whether the database can be written. */
interface ReadinessTable {
  id: number
  written_at: number
}
