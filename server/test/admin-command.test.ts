import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@earshot/core/clock'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { listMigrations } from '../src/db/migrate.ts'
import { isServerInvite } from '../src/db/server-invites.ts'
import { systemClock } from '../src/clock/server-clock.ts'
import { openVersionWith } from '../src/db/testing/first-version.ts'
import { findUser } from '../src/db/users.ts'
import { signUp, startApp, type TestApp } from './apps.ts'
import { ask } from './ask.ts'
import { runChild } from './children/run-child.ts'
import { describeDatabases, makeDataFolder } from './databases.ts'
import { makeFolder } from './folders.ts'
import { createPostgresDatabase, migratedTemplate } from './postgres.ts'
import { runAdmin } from './run-admin.ts'
import { connect, renewable } from './sockets.ts'
import { serverLimits } from '../src/server-limits.ts'

/** A server that runs meanwhile, and how a command finds its data. */
const engines = {
  SQLite: async (clock?: Clock) => {
    const dataDir = await makeDataFolder()
    return { app: await startApp({ dataDir, clock }), env: { DATA_DIR: dataDir } }
  },
  PostgreSQL: async (clock?: Clock) => {
    const databaseUrl = await createPostgresDatabase(inject('postgresUrl'), migratedTemplate)
    const env = { DATABASE_URL: databaseUrl, DATA_DIR: await makeFolder() }
    return { app: await startApp({ databaseUrl, dataDir: env.DATA_DIR, clock }), env }
  },
}

const canSignIn = async (app: TestApp, email: string, password: string): Promise<number> => {
  const headers = { origin: app.address }
  const answer = await ask(`${app.address}/api/auth/sign-in/email`, {
    method: 'POST',
    headers,
    body: { email, password },
  })
  return answer.status
}

it('16.89 what the commands change is noted in the data folder, and what they list is not', async () => {
  const dataDir = await makeDataFolder()
  const app = await startApp({ dataDir })
  const ann = await signUp(app, 'ann')
  const env = { DATA_DIR: dataDir }
  expect((await runAdmin(env, 'list-users')).code).toBe(0)
  expect((await runAdmin(env, 'make-admin', ann.id)).code).toBe(0)
  expect((await runAdmin(env, 'make-admin', 'nobody')).code).toBe(1)
  const path = join(dataDir, 'admin-actions.jsonl')
  const lines = (await readFile(path, 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ security: 'admin_action', action: 'make-admin', target: ann.id }),
  ])
  expect((await stat(path)).mode & 0o077).toBe(0)
})

it('16.89 a command that has succeeded says so, whether or not it can be noted', async () => {
  const databaseUrl = await createPostgresDatabase(inject('postgresUrl'), migratedTemplate)
  const app = await startApp({ databaseUrl })
  const ann = await signUp(app, 'ann')
  const folder = await makeFolder()
  const dataDir = join(folder, 'new')
  const env = { DATABASE_URL: databaseUrl, SECRET: app.secret }
  expect(await runAdmin({ ...env, DATA_DIR: dataDir }, 'make-admin', ann.id)).toMatchObject({
    code: 0,
    stderr: '',
  })
  expect((await stat(dataDir)).mode & 0o077).toBe(0)
  const path = join(dataDir, 'admin-actions.jsonl')
  expect(await readFile(path, 'utf8')).toContain(ann.id)
  // Under a file there is no folder, not even for root.
  const noted = await runAdmin({ ...env, DATA_DIR: join(path, 'below') }, 'make-admin', ann.id)
  expect(noted).toMatchObject({ code: 0, stdout: expect.stringContaining('is an administrator') })
  expect(noted.stderr).toMatch(/^Done, but it could not be noted in .*ENOTDIR/)
})

describeDatabases('a database of an older version', (_open, make) => {
  it('16.211 is refused by the commands, and left as it is', async () => {
    const options = await make()
    const db = await openVersionWith(options, ['001', '002'])
    onTestFinished(() => db.destroy())
    const env = { DATA_DIR: options.dataDir || (await makeFolder()), DATABASE_URL: options.databaseUrl ?? '' }
    for (const command of [['list-users'], ['code']]) {
      expect(await runAdmin(env, ...command)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /older version of Earshot \(without migration 003-.*start this version/,
        ),
      })
    }
    expect(await listMigrations(db)).toEqual(['001-initial-tables', '002-library-files'])
  })

  it('16.211 and so is an empty one, whose server has not been started', async () => {
    const options = await make()
    const db = await openVersionWith(options, [])
    onTestFinished(() => db.destroy())
    const env = { DATA_DIR: options.dataDir || (await makeFolder()), DATABASE_URL: options.databaseUrl ?? '' }
    expect(await runAdmin(env, 'list-users')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^(DATA_DIR|DATABASE_URL): .*it is empty\. .*first started/),
    })
  })
})

describe.each(Object.entries(engines))('npm run admin with %s', (_name, start) => {
  it('16.39, 16.286 administers a server that runs, and prints each user in one line whatever the name', async () => {
    const started = await start()
    const { app } = started
    const env = { ...started.env, SECRET: app.secret }
    const ann = await signUp(app, 'ann')
    const { email } = (await findUser(app.db, ann.id)) ?? { email: '' }

    const code = await runAdmin(env, 'code')
    expect(code.stdout).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){2}\n/)
    expect((await runAdmin(env, 'make-admin', 'Ann')).stdout).toContain('is an administrator now')
    expect(await app.call(ann, 'GET', '/api/admin/status')).toMatchObject({ isAdmin: true })
    expect(await runAdmin(env, 'code')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('make-admin'),
    })
    expect(await runAdmin(env, 'disable', email)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('must be an administrator'),
    })
    expect((await runAdmin(env, 'list-users', 'ANN')).stdout).toBe(`${ann.id}\t${email}\tann\tadmin\n`)

    // As versions stored it that took any character in a name.
    const forged = `x\n${ann.id}\troot@example.org\tAnn\u001B[2K\u009B`
    const eve = await signUp(app, 'eve')
    await app.db.updateTable('profiles').set({ username: forged }).where('id', '=', eve.id).execute()
    const escaped = `x\\u000a${ann.id}\\u0009root@example.org\\u0009Ann\\u001b[2K\\u009b`
    const { email: ofEve } = (await findUser(app.db, eve.id)) ?? { email: '' }
    expect((await runAdmin(env, 'list-users', ofEve)).stdout).toBe(`${eve.id}\t${ofEve}\t${escaped}\n`)
    expect((await runAdmin(env, 'confirm', eve.id)).stdout).toMatch(/^x\\u000a.* may sign in[^\n]*\n$/)

    const reset = await runAdmin(env, 'reset-password', email)
    const token = /#(\S+)/.exec(reset.stdout)?.[1]
    const body = { token, newPassword: 'another horse' }
    const headers = { origin: app.address }
    expect(
      (await ask(`${app.address}/api/auth/reset-password`, { method: 'POST', headers, body })).status,
    ).toBe(200)
    expect(await canSignIn(app, email, 'another horse')).toBe(200)

    const invite = await runAdmin(env, 'invite', '--uses', '2', '--days', '1', '--note', 'for bob')
    const inviteToken = /#invite=(\S+)/.exec(invite.stdout)?.[1] ?? ''
    expect(await isServerInvite({ db: app.db, clock: systemClock }, inviteToken)).toBe(true)
  })

  it('16.39 disabling a user and deleting a room reach those who are connected', async () => {
    const clock = createFakeClock(performance.timeOrigin)
    const { app, env } = await start(clock)
    const bob = await signUp(app, 'bob')
    const body = { name: 'Attic', isPublic: true, preferredSource: 'library' }
    const { id } = await app.call<{ id: string }>(bob, 'POST', '/api/rooms', body)
    const client = await connect(app, bob)
    await client.ask('join_room', { roomId: id })
    expect((await runAdmin(env, 'delete-room', 'attic')).stdout).toContain('Attic is deleted')
    expect(await runAdmin(env, 'delete-room', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no room'),
    })
    await vi.waitFor(() => {
      clock.advance(serverLimits.outsideCheckMs)
      expect(client.all('room_closed')).toMatchObject([{ roomId: id }])
    }, renewable)
    const ended = new Promise((resolve) => client.socket.once('disconnect', resolve))
    expect((await runAdmin(env, 'disable', 'bob')).code).toBe(0)
    await vi.waitFor(() => {
      clock.advance(serverLimits.outsideCheckMs)
      expect(client.socket.connected).toBe(false)
    }, renewable)
    expect(await ended).toBe('io server disconnect')
    expect((await runAdmin(env, 'enable', 'bob')).code).toBe(0)
    expect(await findUser(app.db, bob.id)).toMatchObject({ isDisabled: false })
  })
})

describe('npm run admin', () => {
  it('16.228 delete-user deletes an account and its rooms, but never the last administrator', async () => {
    const clock = createFakeClock(performance.timeOrigin)
    const { app, env } = await engines.SQLite(clock)
    const [ann, bob] = [await signUp(app, 'ann'), await signUp(app, 'bob')]
    await runAdmin(env, 'make-admin', 'ann')
    const body = { name: 'Attic', isPublic: true, preferredSource: 'library' }
    const { id } = await app.call<{ id: string }>(bob, 'POST', '/api/rooms', body)
    const client = await connect(app, bob)
    await client.ask('join_room', { roomId: id })
    expect((await runAdmin(env, 'delete-user', 'bob')).stdout).toMatch(/^bob \(.*\) is deleted\./)
    expect(await findUser(app.db, bob.id)).toBeNull()
    await vi.waitFor(() => {
      clock.advance(serverLimits.outsideCheckMs)
      expect(client.socket.connected).toBe(false)
    }, renewable)
    await expect(app.call(ann, 'GET', `/api/rooms/${id}`)).rejects.toMatchObject({ code: 'room_not_found' })
    expect(await runAdmin(env, 'delete-user', 'ann')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('must be an administrator'),
    })
    expect(await findUser(app.db, ann.id)).not.toBeNull()
  })

  it('16.39 says what it can do, and what was wrong', async () => {
    const env = { DATA_DIR: await makeFolder() }
    const child = runChild('src/admin/main.ts', ['help'], env)
    expect(await child.ended).toBe(0)
    const help = child.output
    for (const name of [
      'code',
      'list-users',
      'reset-password USER',
      'disable USER',
      'invite',
      'backup DIR',
      'delete-room ROOM',
    ]) {
      expect(help.stdout).toContain(name)
    }
    expect(await runAdmin(env)).toMatchObject({ code: 2 })
    const unknown = await runAdmin(env, 'dance')
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no command "dance"') })
    expect(await runAdmin(env, 'disable')).toMatchObject({
      code: 2,
      stderr: 'An argument is missing.\nUsage: npm run admin -- disable USER\n',
    })
    expect(await runAdmin(env, 'list-users')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no database'),
    })
    expect(await runAdmin({ DATA_DIR: env.DATA_DIR, PORT: 'x' }, 'list-users')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('PORT must be'),
    })
  })
})
