import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql, type Selectable } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { runChild } from '../../test/children/run-child.ts'
import { describeDatabases } from '../../test/databases.ts'
import { makeFolder } from '../../test/folders.ts'
import { type Db, engineOf, lockRow, openDatabase, sqliteFileName } from './database.ts'
import type { RoomsTable } from './schema.ts'

const tables = [
  'account',
  'admin_codes',
  'library_albums',
  'library_artists',
  'library_files',
  'library_waveforms',
  'listening_time',
  'messages',
  'profile_pictures',
  'profiles',
  'readiness',
  'removed_entries',
  'room_access',
  'room_bans',
  'room_history',
  'room_invites',
  'room_tracks',
  'rooms',
  'server_invites',
  'session',
  'spotify_accounts',
  'spotify_consents',
  'tracks',
  'user',
  'user_rooms',
  'verification',
  'youtube_quota',
  'youtube_searches',
]

/** The tables of the full-text search, which only SQLite has. */
const searchTables = [
  'library_trigrams',
  ...['', '_config', '_data', '_docsize', '_idx'].map((part) => `library_search${part}`),
]

function tablesOf(db: Db): string[] {
  return (engineOf(db) === 'sqlite' ? [...tables, ...searchTables] : tables).toSorted()
}

type Row = Selectable<RoomsTable>

function makeRoom(id: string, changes: Partial<Row> = {}): Row {
  return {
    id,
    name: 'Room',
    owner_id: 'owner',
    is_public: 1,
    password: null,
    preferred_source: 'library',
    is_playing: 0,
    current_position: 0,
    last_updated: 0,
    current_track_id: null,
    sequence_number: 0,
    playback_state: '{}',
    due_at: null,
    created_at: 0,
    settings: '{}',
    controller_id: null,
    search_text: '',
    listeners: 0,
    ...changes,
  }
}

async function readSequence(db: Db, id: string): Promise<number | undefined> {
  const row = await db.selectFrom('rooms').select('sequence_number').where('id', '=', id).executeTakeFirst()
  return row?.sequence_number
}

/** Reads the sequence number, yields, and writes it plus one. */
async function increment(db: Db, id: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const query = transaction.selectFrom('rooms').select('sequence_number').where('id', '=', id)
    const { sequence_number: before } = await lockRow(query, 'rooms').executeTakeFirstOrThrow()
    await new Promise((resolve) => setImmediate(resolve))
    await transaction
      .updateTable('rooms')
      .set({ sequence_number: before + 1 })
      .where('id', '=', id)
      .execute()
  })
}

describeDatabases('the database', (open, make) => {
  it('creates its tables when it is opened, and keeps their rows when it is reopened', async () => {
    const options = await make()
    const first = await openDatabase(options)
    await first.insertInto('rooms').values(makeRoom('a')).execute()
    await first.destroy()
    const second = await openDatabase(options)
    try {
      expect((await second.introspection.getTables()).map((table) => table.name).toSorted()).toEqual(
        tablesOf(second),
      )
      expect(await second.selectFrom('rooms').selectAll().execute()).toEqual([makeRoom('a')])
    } finally {
      await second.destroy()
    }
  })

  it('is migrated once by processes that start at the same time', async () => {
    const { databaseUrl, dataDir } = await make()
    const script = 'test/children/open-database.ts'
    const children = [1, 2, 3].map(() => runChild(script, [databaseUrl ?? '', dataDir]))
    const codes = await Promise.all(children.map((child) => child.ended))
    expect(children.map((child) => child.output.stderr)).toEqual(['', '', ''])
    expect(codes).toEqual([0, 0, 0])
    const db = await openDatabase({ databaseUrl, dataDir })
    for (const { output } of children) expect(JSON.parse(output.stdout)).toEqual(tablesOf(db))
    const runs = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    await db.destroy()
    expect(runs.rows.map((run) => run.name)).toEqual([
      '001-initial-tables',
      '002-library-files',
      '003-unknown-durations',
      '004-provider-tracks',
      '005-spotify-accounts',
      '006-youtube',
      '007-listening-time',
      '008-room-invites',
      '009-room-settings',
      '010-guests',
      '011-room-bans',
      '012-queue-memory',
      '013-administration',
      '014-readiness',
      '015-room-search',
      '017-client-message-ids',
      '018-library-places',
      '020-name-looks',
      '021-room-invite-uses',
      '022-missing-files',
      '023-listener-counts',
      '024-pending-confirmations',
      '025-guest-names',
      '026-regional-tracks',
      '028-library-tags',
      '029-google-tokens',
      '030-profile-pictures',
      '031-track-loudness',
      '032-album-loudness',
      '033-cleared-queues',
      '034-rooms-created',
    ])
  })

  it('returns times and counts as numbers', async () => {
    const db = await open()
    const late = { current_position: 86_400_000, last_updated: 4_102_444_800_000, due_at: 4_102_444_800_001 }
    await db
      .insertInto('rooms')
      .values([makeRoom('a', late), makeRoom('b')])
      .execute()
    const row = await db.selectFrom('rooms').selectAll().where('id', '=', 'a').executeTakeFirstOrThrow()
    expect(row).toEqual(makeRoom('a', late))
    const totals = await db
      .selectFrom('rooms')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number>('last_updated').as('sum')])
      .executeTakeFirstOrThrow()
    expect(totals).toEqual({ count: 2, sum: 4_102_444_800_000 })
  })

  it('rolls back a failed transaction', async () => {
    const db = await open()
    await db.insertInto('rooms').values(makeRoom('a')).execute()
    const failing = db.transaction().execute(async (transaction) => {
      await transaction.updateTable('rooms').set({ name: 'Changed' }).where('id', '=', 'a').execute()
      await transaction.insertInto('rooms').values(makeRoom('b')).execute()
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await db.selectFrom('rooms').selectAll().execute()).toEqual([makeRoom('a')])
    await increment(db, 'a')
    expect(await readSequence(db, 'a')).toBe(1)
  })

  it('isolates a running transaction from other queries', async () => {
    const db = await open()
    await db.insertInto('rooms').values(makeRoom('a')).execute()
    const transaction = db.transaction().execute(async (inside) => {
      await inside.updateTable('rooms').set({ name: 'Half' }).where('id', '=', 'a').execute()
      await new Promise((resolve) => setImmediate(resolve))
      await inside.updateTable('rooms').set({ name: 'Whole' }).where('id', '=', 'a').execute()
    })
    const readings = Array.from({ length: 10 }, () =>
      db.selectFrom('rooms').select('name').executeTakeFirst(),
    )
    const names = (await Promise.all(readings)).map((row) => row?.name)
    await transaction
    expect(names).not.toContain('Half')
  })

  it('serialises transactions that change a locked row', async () => {
    const db = await open()
    await db.insertInto('rooms').values(makeRoom('a')).execute()
    await Promise.all(Array.from({ length: 50 }, () => increment(db, 'a')))
    expect(await readSequence(db, 'a')).toBe(50)
  })

  it('compares text byte by byte, whatever the locale', async () => {
    const db = await open()
    const ids = ['a', 'B', '_', '-', 'é', 'z', 'Z', '0', 'ß', '😀']
    await db
      .insertInto('rooms')
      .values(ids.map((id) => makeRoom(id)))
      .execute()
    const rows = await db.selectFrom('rooms').select('id').orderBy('id').execute()
    const expected = ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect(rows.map((row) => row.id)).toEqual(expected)
  })

  it('enforces foreign keys, and deletes the parts of a room with it', async () => {
    const db = await open()
    const message = { id: 'm', room_id: 'a', user_id: 'u', content: 'Hello', created_at: 1 }
    await expect(db.insertInto('messages').values(message).execute()).rejects.toThrow(/foreign key/i)
    await db.insertInto('rooms').values(makeRoom('a')).execute()
    await db.insertInto('messages').values(message).execute()
    await db.insertInto('user_rooms').values({ room_id: 'a', user_id: 'u', joined_at: 1 }).execute()
    await db.deleteFrom('rooms').where('id', '=', 'a').execute()
    expect(await db.selectFrom('messages').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('user_rooms').selectAll().execute()).toEqual([])
  })

  it('stores a membership once', async () => {
    const db = await open()
    await db.insertInto('rooms').values(makeRoom('a')).execute()
    const membership = { room_id: 'a', user_id: 'u', joined_at: 1 }
    await db.insertInto('user_rooms').values(membership).execute()
    await expect(db.insertInto('user_rooms').values(membership).execute()).rejects.toThrow(/unique/i)
  })
})

describe('SQLite', () => {
  it('keeps every acknowledged write, and no partial transaction, when its process is killed', async () => {
    for (const acknowledgedCount of [1, 20, 60]) {
      const dataDir = await makeFolder()
      const child = runChild('test/children/write-tracks.ts', [dataDir])
      const acknowledged = (): string[] => child.output.stdout.split('\n').slice(0, -1)
      await vi.waitFor(() => expect(acknowledged().length).toBeGreaterThan(acknowledgedCount))
      child.process.kill('SIGKILL')
      await child.ended
      const db = await openDatabase({ databaseUrl: null, dataDir })
      const stored = new Set((await db.selectFrom('tracks').select('id').execute()).map((row) => row.id))
      const check = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
      await db.destroy()
      for (const number of acknowledged()) expect(stored).toContain(`${number}b`)
      for (const id of stored) expect(stored).toContain(id.endsWith('a') ? id.replace('a', 'b') : id)
      expect(check.rows).toEqual([{ integrity_check: 'ok' }])
    }
  })

  it('names the environment variable where the data folder cannot be used', async () => {
    const file = join(await makeFolder(), 'file')
    await writeFile(file, '')
    await expect(openDatabase({ databaseUrl: null, dataDir: file })).rejects.toThrow(/^DATA_DIR: .*file/)
    expect(await readFile(file, 'utf8')).toBe('')
  })
})

describe('SQLite that another process has locked', () => {
  it('13.2 cannot be opened for the first time, and says why', async () => {
    const dataDir = await makeFolder()
    const other = new DatabaseSync(join(dataDir, sqliteFileName))
    other.exec('begin exclusive')
    const opening = openDatabase({ databaseUrl: null, dataDir, busyTimeoutMs: 200 })
    await expect(opening).rejects.toThrow(/^DATA_DIR: .*database is locked/)
    other.exec('rollback; pragma journal_mode = wal; begin immediate')
    const migrating = openDatabase({ databaseUrl: null, dataDir, busyTimeoutMs: 200 })
    await expect(migrating).rejects.toThrow(/^DATA_DIR: .*database is locked/)
    other.close()
  })
})

describe('PostgreSQL', () => {
  it('names the environment variable where it cannot be reached', async () => {
    const databaseUrl = 'postgres://somebody:word@127.0.0.1:1/nothing'
    const opening = openDatabase({ databaseUrl, dataDir: '' })
    await expect(opening).rejects.toThrow(/^DATABASE_URL: /)
    await expect(opening).rejects.not.toThrow(/word/)
  })
})
