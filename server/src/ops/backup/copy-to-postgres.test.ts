import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, inject, it } from 'vitest'
import { enterAsGuest, signUpOverHttp, startApp } from '../../../test/apps.ts'
import { makeDataFolder } from '../../../test/databases.ts'
import { makeFolder } from '../../../test/folders.ts'
import { writeOldTrack } from '../../../test/music.ts'
import { createPostgresDatabase } from '../../../test/postgres.ts'
import { connect, joinAs, openJoinedRoom } from '../../../test/sockets.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import { writeAdmin } from '../../db/users.ts'
import { copyToPostgres } from './copy-to-postgres.ts'

const logger = pino({ level: 'silent' })

async function readTables(db: Db): Promise<Record<string, unknown[]>> {
  const names = (await db.introspection.getTables()).map(({ name }) => name)
  const content: Record<string, unknown[]> = {}
  for (const name of names.filter((each) => !/^(sqlite|library_search|library_trigrams)/.test(each))) {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(db)
    content[name] = rows.map((row) => JSON.stringify(fieldsOf(row), normalise)).toSorted()
  }
  return content
}

/** In the order of their names. Only SQLite numbers its rows. */
function fieldsOf(row: object): [string, unknown][] {
  const fields = Object.entries(row) as [string, unknown][]
  return fields.filter(([name]) => name !== 'row_number').toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** The engines differ in truth values and times. */
function normalise(_key: string, value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : value
}

it('15.82 a server goes on with PostgreSQL where it was with SQLite', async () => {
  const [dataDir, musicDir] = [await makeDataFolder(), await makeFolder()]
  await writeOldTrack(musicDir, 'one.wav')
  const databaseUrl = await createPostgresDatabase(inject('postgresUrl'), null)
  const place = { dataDir, databaseUrl }
  const before = await startApp({ dataDir, variables: { MUSIC_DIR: musicDir } })
  const ann = await signUpOverHttp(before, 'ann')
  await writeAdmin(before.db, ann.id, true)
  await enterAsGuest(before, 'Gus')
  const { id: roomId } = await openJoinedRoom(before)
  await joinAs(before, roomId, 'ben')
  await before.call(ann, 'POST', `/api/rooms/${roomId}/join`, {})
  await before.call(ann, 'POST', `/api/rooms/${roomId}/messages`, { content: 'Hello' })
  await expect(copyToPostgres(place, logger)).rejects.toThrow(/another process uses/)
  await before.close()

  const sqlite = await openDatabase({ databaseUrl: null, dataDir })
  const old = await readTables(sqlite)
  await sqlite.destroy()
  const { rows } = await copyToPostgres(place, logger)
  expect(rows).toBeGreaterThan(20)
  const postgres = await openDatabase(place)
  const copied = await readTables(postgres)
  await postgres.destroy()
  expect(copied).toMatchObject(old)
  await expect(copyToPostgres(place, logger)).rejects.toThrow('DATABASE_URL: the database is not empty')

  const after = await startApp(place)
  const { messages } = await after.call<{ messages: object[] }>(ann, 'GET', `/api/rooms/${roomId}/messages`)
  expect(messages).toMatchObject([{ content: 'Hello' }])
  expect(await after.call(ann, 'GET', '/api/admin/status')).toMatchObject({ isAdmin: true })
  expect(await (await connect(after, ann)).ask('join_room', { roomId })).toMatchObject({
    room: { id: roomId },
  })
})
