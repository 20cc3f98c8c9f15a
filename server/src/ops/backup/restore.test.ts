import { once } from 'node:events'
import { chmod, chown, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { makeTrack } from '@earshot/core/testing/tracks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { asOrdinaryUser, makeFolder, writeIn } from '../../../test/folders.ts'
import { upsertTracks } from '../../db/tracks.ts'
import { readManifest, writeManifest } from './manifest.ts'
import { admin, change, load, type Machine, makePostgres, makeSqlite, save } from './testing/machines.ts'

describe('a restore that fails', () => {
  /** Replaces the tables of a backup by what pg_restore refuses. */
  const spoilTables = async (backup: string): Promise<void> => {
    const { files: _, format: __, ...facts } = await readManifest(backup)
    await rm(join(backup, 'earshot-backup.json'))
    await writeIn(backup, 'earshot.pgdump', 'no dump')
    await writeManifest(backup, facts)
  }
  /** Adds what no copy can be made of. */
  const spoilCovers = async (backup: string): Promise<void> => {
    await mkdir(join(backup, 'covers'))
    const server = createServer().listen(join(backup, 'covers', 'socket'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
  }
  const makeBackup = async (make: () => Promise<Machine>): Promise<{ machine: Machine; backup: string }> => {
    const [machine, backup] = [await make(), join(await makeFolder(), 'b')]
    await change(machine, (db) => upsertTracks(db, [makeTrack('before')], 1))
    await save(machine, backup)
    await change(machine, (db) => upsertTracks(db, [makeTrack('after')], 1))
    await writeIn(machine.dataDir, 'secret', 'the secret of now')
    return { machine, backup }
  }

  it.each([
    ['SQLite', makeSqlite, spoilCovers],
    ['PostgreSQL', makePostgres, spoilTables],
    ['PostgreSQL', makePostgres, spoilCovers],
  ])('16.212 leaves or puts back what was there (%s)', async (_name, make, spoil) => {
    const { machine, backup } = await makeBackup(make)
    const names = await readdir(machine.dataDir)
    await spoil(backup)
    await expect(load(machine, backup, true)).rejects.toThrow('what was there is in its place again')
    expect(withoutLock(await readdir(machine.dataDir))).toEqual(withoutLock(names))
    expect(await readFile(join(machine.dataDir, 'secret'), 'utf8')).toBe('the secret of now')
    await change(machine, async (db) =>
      expect(await db.selectFrom('tracks').select('id').orderBy('id').execute()).toEqual([
        { id: 'after' },
        { id: 'before' },
      ]),
    )
  })

  it('16.212 names the folder of what was there where it cannot be put back', async () => {
    const { machine, backup } = await makeBackup(makePostgres)
    const programs = await makeFolder()
    await writeFile(join(programs, 'pg_restore'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const { databaseUrl } = machine.options
    const variables = {
      DATA_DIR: machine.dataDir,
      DATABASE_URL: databaseUrl ?? '',
      PATH: `${programs}:${process.env['PATH']}`,
    }
    const { code, stderr } = await admin(['restore', backup, '--force'], variables)
    expect(code).toBe(1)
    const [, kept = ''] = /^What was there is in (\S+), and could not be put back/m.exec(stderr) ?? []
    expect((await stat(join(kept, 'earshot.pgdump'))).size).toBeGreaterThan(1_000)
  })
})

const withoutLock = (names: string[]) => names.filter((name) => !name.startsWith('process-lock')).toSorted()

describe('a restored server', () => {
  it('16.213 owns its files, also where root restored them', async () => {
    const [machine, backup] = [await makeSqlite(), join(await makeFolder(), 'backup')]
    await writeIn(machine.dataDir, 'covers/abc.webp', 'cover')
    await writeIn(machine.dataDir, 'secret', 'secret')
    await change(machine, async () => {})
    await save(machine, backup)
    const next = await makeSqlite()
    const isRoot = process.getuid?.() === 0
    if (isRoot) await chown(next.dataDir, 65_534, 65_534)
    await load(next, backup)
    await load(next, backup, true)
    const paths = await readdir(next.dataDir, { recursive: true })
    expect(paths.length).toBeGreaterThan(9)
    const { uid, gid } = await stat(next.dataDir)
    for (const path of paths) expect(await stat(join(next.dataDir, path))).toMatchObject({ uid, gid })
  })

  it('16.213 is restored also where its files cannot be given to the owner of the folder', async () => {
    const [machine, folder] = [await makeSqlite(), await makeFolder()]
    const backup = join(folder, 'backup')
    await change(machine, async () => {})
    await save(machine, backup)
    const next = await makeSqlite()
    await chmod(next.dataDir, 0o777)
    const paths = (await readdir(folder, { recursive: true })).map((name) => join(folder, name))
    if (process.getuid?.() === 0) for (const path of [folder, ...paths]) await chown(path, 65_534, 65_534)
    await asOrdinaryUser(async () => {
      const { replacedDir, ownerError } = await load(next, backup)
      const isGiven = process.getuid?.() !== 0
      expect({ replacedDir, isGiven: !ownerError?.startsWith('EPERM') }).toEqual({
        replacedDir: null,
        isGiven,
      })
      // The lock is free again, and the true error is not replaced.
      await expect(load(next, backup)).rejects.toThrow('is not empty')
    })
  })

  it('16.214 may have had its backups, and else no data, in its folder', async () => {
    const { dataDir, options } = await makeSqlite()
    const backup = join(dataDir, 'backups', 'monday')
    await change({ dataDir, options }, async () => {})
    await save({ dataDir, options }, backup)
    for (const end of ['', '-wal', '-shm']) await rm(join(dataDir, `earshot.sqlite${end}`), { force: true })
    expect(await load({ dataDir, options }, backup)).toMatchObject({ replacedDir: null })
  })

  it('16.214 is not called without a backup where the backup cannot be read', async () => {
    const [machine, backup] = [await makeSqlite(), join(await makeFolder(), 'backup')]
    await change(machine, async () => {})
    await save(machine, backup)
    await chmod(backup, 0)
    await asOrdinaryUser(() => expect(load(machine, backup)).rejects.toThrow(/cannot be read.*EACCES/))
    await chmod(backup, 0o700)
  })
})
