import { appendFile, mkdir, readFile, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTrack } from '@earshot/core/testing/tracks'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type TestApp, type TestUser, signUpOverHttp, startApp } from '../../../test/apps.ts'
import { makeFolder, writeIn } from '../../../test/folders.ts'
import { runAdmin } from '../../../test/run-admin.ts'
import { type DatabaseOptions, openDatabase } from '../../db/database.ts'
import { upsertTracks } from '../../db/tracks.ts'
import {
  admin,
  change,
  engines,
  load,
  type Machine,
  makePostgres,
  makeSqlite,
  save,
} from './testing/machines.ts'

const createRoom = async (app: TestApp, user: TestUser, name: string): Promise<string> =>
  (await app.call<{ id: string }>(user, 'POST', '/api/rooms', { name })).id

/** Keeps writing until it is stopped; every write is a transaction of two rows. */
async function writeSteadily(options: DatabaseOptions): Promise<() => Promise<void>> {
  const db = await openDatabase(options)
  let isStopped = false
  const write = (n: number) => upsertTracks(db, [makeTrack(`${n}a`), makeTrack(`${n}b`)], 1)
  await write(0)
  const writing = (async () => {
    for (let n = 1; !isStopped; n++) await write(n)
  })()
  return async () => {
    isStopped = true
    await writing
    await db.destroy()
  }
}

describe.each(Object.entries(engines))('a backup (%s)', (_name, make) => {
  it('16.40 is made while the server writes, and restored on another machine', async () => {
    const [old, next, backup] = [await make(), await make(), join(await makeFolder(), 'monday')]
    const start = ({ dataDir, options: { databaseUrl } }: Machine) =>
      startApp({ dataDir, databaseUrl: databaseUrl ?? undefined, variables: { SECRET: '' } })
    const app = await start(old)
    const ann = await signUpOverHttp(app, 'ann')
    const roomId = await createRoom(app, ann, 'Kitchen')
    await writeIn(old.dataDir, 'covers/abc.webp', 'cover')
    const stopWriting = await writeSteadily(old.options)
    await save(old, backup)
    await stopWriting()
    const lateRoomId = await createRoom(app, ann, 'Too late')
    await app.close()
    // The old machine is gone: nothing may come from there.
    await rm(old.dataDir, { recursive: true })
    expect((await stat(join(backup, 'secret'))).mode & 0o777).toBe(0o600)

    expect(await load(next, backup)).toMatchObject({ replacedDir: null, hasSecret: true })
    expect(await readFile(join(next.dataDir, 'covers/abc.webp'), 'utf8')).toBe('cover')
    const restored = await start(next)
    expect(await restored.call(null, 'GET', `/api/rooms/${roomId}`)).toMatchObject({
      room: { name: 'Kitchen' },
    })
    await expect(restored.call(null, 'GET', `/api/rooms/${lateRoomId}`)).rejects.toMatchObject({
      code: 'room_not_found',
    })
    // The session is still valid: the secret came along.
    expect(await restored.call(ann, 'GET', '/api/profile')).toMatchObject({ profile: { id: ann.id } })
    const rows = await restored.db.selectFrom('tracks').select('id').execute()
    const ids = new Set(rows.map(({ id }) => id))
    expect(ids).toContain('0a')
    expect([...ids].filter((id) => id.endsWith('a') && !ids.has(id.replace('a', 'b')))).toEqual([])
  })

  it('16.40 replaces data only when forced, and keeps what was there', async () => {
    const [machine, backup] = [await make(), join(await makeFolder(), 'backup')]
    await change(machine, (db) => upsertTracks(db, [makeTrack('before')], 1))
    await save(machine, backup)
    await change(machine, (db) => upsertTracks(db, [makeTrack('after')], 1))

    await expect(load(machine, backup)).rejects.toThrow(/is not empty.*--force/)
    const { replacedDir } = await load(machine, backup, true)
    await change(machine, async (db) =>
      expect(await db.selectFrom('tracks').select('id').execute()).toEqual([{ id: 'before' }]),
    )
    expect(await readdir(replacedDir ?? '')).toContainEqual(
      expect.stringMatching(/^earshot\.(sqlite|pgdump)$/),
    )
  })
})

it('16.210 a backup that fails leaves no files', async () => {
  const [machine, backup] = [await makeSqlite(), join(await makeFolder(), 'backup')]
  await change(machine, async () => {})
  await mkdir(join(machine.dataDir, 'secret'))
  await expect(save(machine, backup)).rejects.toThrow('secret')
  expect(await readdir(backup)).toEqual([])
})

describe('a backup that cannot be used', () => {
  const makeBackup = async (): Promise<{ machine: Machine; backup: string }> => {
    const [machine, backup] = [await makeSqlite(), join(await makeFolder(), 'backup')]
    await change(machine, async () => {})
    await save(machine, backup)
    return { machine, backup }
  }

  it('16.40 is refused where it is damaged, incomplete or of the other engine, and changes nothing', async () => {
    const { backup } = await makeBackup()
    const next = await makeSqlite()
    const elsewhere = {
      ...next,
      options: { ...next.options, databaseUrl: 'postgres://somebody@127.0.0.1:1/none' },
    }
    await expect(load(elsewhere, backup)).rejects.toThrow('backup of a SQLite database')
    await appendFile(join(backup, 'earshot.sqlite'), 'x')
    await expect(load(next, backup)).rejects.toThrow('damaged: earshot.sqlite is missing or has changed')
    await rm(join(backup, 'earshot-backup.json'))
    await expect(load(next, backup)).rejects.toThrow('no complete backup')
    expect(await readdir(next.dataDir)).toEqual([])
  })

  it('16.40, 16.41 is refused where a newer version made it', async () => {
    const machine = await makeSqlite()
    await change(machine, (db) =>
      sql`insert into kysely_migration (name, timestamp) values ('999-later', '2030')`.execute(db),
    )
    const backup = join(await makeFolder(), 'newer')
    await save(machine, backup)
    await expect(load(await makeSqlite(), backup)).rejects.toThrow(
      'made by a newer version of Earshot (migration 999-later)',
    )
  })

  it('16.40 is not restored under a running server, and never written into a folder with files', async () => {
    const { machine, backup } = await makeBackup()
    await startApp({ dataDir: machine.dataDir })
    await expect(load(machine, backup, true)).rejects.toThrow('another process uses')
    await expect(save(machine, backup)).rejects.toThrow('is not empty')
  })
})

describe('npm run admin', () => {
  it('16.40 backs up and restores, and lists its commands', async () => {
    const [machine, next, backup] = [
      await makeSqlite(),
      await makeSqlite(),
      join(await makeFolder(), 'backup'),
    ]
    await change(machine, (db) => upsertTracks(db, [makeTrack('kept')], 1))
    expect(await admin(['backup', backup], { DATA_DIR: machine.dataDir })).toMatchObject({
      code: 0,
      stderr: '',
    })
    const restored = await admin(['restore', backup], { DATA_DIR: next.dataDir })
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('The backup has no secret') })
    await change(next, async (db) =>
      expect(await db.selectFrom('tracks').select('id').execute()).toEqual([{ id: 'kept' }]),
    )
    expect(await runAdmin({})).toMatchObject({ code: 2, stdout: expect.stringContaining('backup DIR') })
    expect(await runAdmin({}, 'backup')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is missing'),
    })
  })

  it('16.218 says where the data folder has no secret, as where it is not that of the server', async () => {
    const { options } = await makePostgres()
    await change({ options, dataDir: '' }, async () => {})
    const elsewhere = await makeFolder()
    const variables = { DATABASE_URL: options.databaseUrl ?? '', DATA_DIR: elsewhere }
    const without = await runAdmin(variables, 'backup', join(elsewhere, 'a'))
    expect(without).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`no secret in ${elsewhere}, so`),
    })
    await writeIn(elsewhere, 'secret', 's'.repeat(32))
    const complete = await runAdmin(variables, 'backup', join(elsewhere, 'b'))
    expect(complete).toMatchObject({ code: 0, stdout: expect.not.stringContaining('secret in') })
  })

  it('16.40 says what is missing: the database, or pg_dump', async () => {
    const folder = await makeFolder()
    const nothing = await runAdmin({ DATA_DIR: folder }, 'backup', join(folder, 'b'))
    expect(nothing).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^DATA_DIR: there is no database/),
    })
    const machine = await makePostgres()
    await change(machine, async () => {})
    const variables = { DATA_DIR: folder, DATABASE_URL: machine.options.databaseUrl ?? '', PATH: folder }
    expect(await admin(['backup', join(folder, 'c')], variables)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^pg_dump is not installed here\. Install PostgreSQL's client programs/),
    })
  })
})
