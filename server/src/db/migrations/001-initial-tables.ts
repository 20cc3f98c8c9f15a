import { type ColumnDataType, type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The column types that differ between the engines. On PostgreSQL, text is compared byte by byte as on SQLite, so that
 * the order of lists does not depend on the database's locale.
 */
interface Types {
  text: ColumnDataType | RawBuilder<unknown>
  /** The types that the sign-in library's adapter writes. */
  authDate: ColumnDataType
  authFlag: ColumnDataType
  /** The maximum length of an indexed text, in bytes; null for no limit. */
  longestIndexed: number | null
}

const sqliteTypes: Types = { text: 'text', authDate: 'date', authFlag: 'integer', longestIndexed: null }
const postgresTypes: Types = {
  text: sql`text collate "C"`,
  authDate: 'timestamptz',
  authFlag: 'boolean',
  longestIndexed: 2_700,
}

/** The tables of the first version. Ids are text, times ms, flags 0 or 1. */
export const initialTables: Migration = {
  async up(db) {
    const types = db.getExecutor().adapter instanceof PostgresAdapter ? postgresTypes : sqliteTypes
    await createAuthTables(db, types)
    await createProfiles(db, types)
    await createTracks(db, types)
    await createRooms(db, types)
    await createRoomParts(db, types)
  },
}

/** Creates the tables of the sign-in library (better-auth 1.7). Its own migrations take no lock. */
async function createAuthTables(db: Kysely<unknown>, { text, authDate, authFlag }: Types): Promise<void> {
  await db.schema
    .createTable('user')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('email', text, (column) => column.notNull().unique())
    .addColumn('emailVerified', authFlag, (column) => column.notNull())
    .addColumn('image', text)
    .addColumn('createdAt', authDate, (column) => column.notNull())
    .addColumn('updatedAt', authDate, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('session')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('expiresAt', authDate, (column) => column.notNull())
    .addColumn('token', text, (column) => column.notNull().unique())
    .addColumn('createdAt', authDate, (column) => column.notNull())
    .addColumn('updatedAt', authDate, (column) => column.notNull())
    .addColumn('ipAddress', text)
    .addColumn('userAgent', text)
    .addColumn('userId', text, (column) => column.notNull().references('user.id').onDelete('cascade'))
    .execute()
  await db.schema
    .createTable('account')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('accountId', text, (column) => column.notNull())
    .addColumn('providerId', text, (column) => column.notNull())
    .addColumn('userId', text, (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('accessToken', text)
    .addColumn('refreshToken', text)
    .addColumn('idToken', text)
    .addColumn('accessTokenExpiresAt', authDate)
    .addColumn('refreshTokenExpiresAt', authDate)
    .addColumn('scope', text)
    .addColumn('password', text)
    .addColumn('createdAt', authDate, (column) => column.notNull())
    .addColumn('updatedAt', authDate, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('verification')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('identifier', text, (column) => column.notNull())
    .addColumn('value', text, (column) => column.notNull())
    .addColumn('expiresAt', authDate, (column) => column.notNull())
    .addColumn('createdAt', authDate, (column) => column.notNull())
    .addColumn('updatedAt', authDate, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('session_userId_idx').on('session').column('userId').execute()
  await db.schema.createIndex('account_userId_idx').on('account').column('userId').execute()
  await db.schema.createIndex('verification_identifier_idx').on('verification').column('identifier').execute()
}

/** User ids are no foreign keys: rooms, entries and messages outlive a deleted account. */
async function createProfiles(db: Kysely<unknown>, { text }: Types): Promise<void> {
  await db.schema
    .createTable('profiles')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('username', text, (column) => column.notNull())
    .addColumn('full_name', text, (column) => column.notNull())
    .addColumn('avatar_url', text)
    .addColumn('preferred_source', text, (column) => column.notNull())
    .addColumn('spotify_connected', 'integer', (column) => column.notNull())
    .addColumn('youtube_connected', 'integer', (column) => column.notNull())
    .addColumn('spotify_tokens', text)
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
}

async function createTracks(db: Kysely<unknown>, { text, longestIndexed }: Types): Promise<void> {
  await db.schema
    .createTable('tracks')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('title', text, (column) => column.notNull())
    .addColumn('artist', text, (column) => column.notNull())
    .addColumn('album', text, (column) => column.notNull())
    .addColumn('duration', 'bigint', (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('album_art', text)
    .addColumn('url', text)
    .addColumn('uri', text)
    .addColumn('fetched_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('library_files')
    .addColumn('track_id', text, (column) => column.primaryKey().notNull().references('tracks.id'))
    .addColumn('path', text, (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('modified_at', 'bigint', (column) => column.notNull())
    .addColumn('mime_type', text, (column) => column.notNull())
    .addColumn('has_art', 'integer', (column) => column.notNull())
    .addColumn('cover_path', text)
    .addColumn('search_text', text, (column) => column.notNull())
    .addColumn('sort_text', text, (column) => column.notNull())
    .execute()
  // These texts can exceed PostgreSQL's limit for indexed values; SQLite has none.
  if (longestIndexed === null) {
    await db.schema
      .createIndex('library_files_sort_text_idx')
      .on('library_files')
      .column('sort_text')
      .execute()
  }
}

async function createRooms(db: Kysely<unknown>, { text }: Types): Promise<void> {
  await db.schema
    .createTable('rooms')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('owner_id', text, (column) => column.notNull())
    .addColumn('is_public', 'integer', (column) => column.notNull())
    .addColumn('password', text)
    .addColumn('preferred_source', text, (column) => column.notNull())
    .addColumn('is_playing', 'integer', (column) => column.notNull())
    .addColumn('current_position', 'bigint', (column) => column.notNull())
    .addColumn('last_updated', 'bigint', (column) => column.notNull())
    .addColumn('current_track_id', text, (column) => column.references('tracks.id'))
    .addColumn('sequence_number', 'bigint', (column) => column.notNull())
    .addColumn('playback_state', text, (column) => column.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('rooms_due_at_idx').on('rooms').column('due_at').execute()
  await db.schema.createIndex('rooms_current_track_id_idx').on('rooms').column('current_track_id').execute()
}

async function createRoomParts(db: Kysely<unknown>, { text }: Types): Promise<void> {
  await db.schema
    .createTable('room_tracks')
    .addColumn('entry_id', text, (column) => column.primaryKey().notNull())
    .addColumn('room_id', text, (column) => column.notNull().references('rooms.id').onDelete('cascade'))
    .addColumn('track_id', text, (column) => column.notNull().references('tracks.id'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('added_by', text)
    .addColumn('added_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('room_tracks_room_id_position_idx')
    .on('room_tracks')
    .columns(['room_id', 'position'])
    .execute()
  await db.schema.createIndex('room_tracks_track_id_idx').on('room_tracks').column('track_id').execute()
  await db.schema
    .createTable('user_rooms')
    .addColumn('user_id', text, (column) => column.notNull())
    .addColumn('room_id', text, (column) => column.notNull().references('rooms.id').onDelete('cascade'))
    .addColumn('joined_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('user_rooms_pk', ['user_id', 'room_id'])
    .execute()
  await db.schema.createIndex('user_rooms_room_id_idx').on('user_rooms').column('room_id').execute()
  await db.schema
    .createTable('room_access')
    .addColumn('room_id', text, (column) => column.notNull().references('rooms.id').onDelete('cascade'))
    .addColumn('user_id', text, (column) => column.notNull())
    .addColumn('granted_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('room_access_pk', ['room_id', 'user_id'])
    .execute()
  await db.schema
    .createTable('messages')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('room_id', text, (column) => column.notNull().references('rooms.id').onDelete('cascade'))
    .addColumn('user_id', text, (column) => column.notNull())
    .addColumn('content', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('messages_room_id_id_idx').on('messages').columns(['room_id', 'id']).execute()
}
