import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { adminCalls, type ServerFigures } from '@earshot/core/protocol/admin-calls'
import { describe, expect, it, vi } from 'vitest'
import { shareApp, startApp, signUp, signUpOverHttp, type TestApp, type TestUser } from '../../test/apps.ts'
import { ask } from '../../test/ask.ts'
import { makeDataFolder } from '../../test/databases.ts'
import { writeIn } from '../../test/folders.ts'
import { captureLog } from '../../test/log.ts'
import { freezeWindows } from '../../test/rate-windows.ts'
import { connect } from '../../test/sockets.ts'
import { deleteSessions, findUser, hasAdmin, writeAdmin } from '../db/users.ts'
import { serverLimits } from '../server-limits.ts'
import { callRates } from '../limits/rates.ts'

async function signUpAdmin(app: TestApp, name = 'root'): Promise<TestUser> {
  const admin = await signUp(app, name)
  await writeAdmin(app.db, admin.id, true)
  return admin
}

const patchUser = (app: TestApp, admin: TestUser, userId: string, body: object) =>
  app.call(admin, 'PATCH', `/api/admin/users/${userId}`, body)

const app = shareApp()

describe('the administration', () => {
  it('16.36a every call of it refuses members and strangers, and changes nothing', async () => {
    const app = await startApp()
    const member = await signUp(app, 'member')
    const open = new Set(['/api/invites/check', '/api/admin/status', '/api/admin/claim'])
    const calls = Object.values(adminCalls).filter(({ path }) => !open.has(path))
    expect(calls.length).toBeGreaterThan(10)
    const bodies: Record<string, object> = {
      '/api/admin/users/:userId': { isAdmin: true },
      '/api/admin/rooms/:roomId': { name: 'mine' },
      '/api/admin/invites': {},
    }
    for (const { method, path } of calls) {
      const url = path.replace(/:\w+/, member.id)
      const body = method === 'POST' || method === 'PATCH' ? bodies[path] : undefined
      await expect(app.call(member, method, url, body)).rejects.toMatchObject({ code: 'not_admin' })
      await expect(app.call(null, method, url, body)).rejects.toMatchObject({ code: 'unauthenticated' })
    }
    expect(await hasAdmin(app.db)).toBe(false)
  })

  it("16.36a the sign-in library's own calls about users are refused to administrators, too", async () => {
    const [admin, ann] = [await signUpAdmin(app), await signUp(app, 'ann')]
    const paths = [
      'impersonate-user',
      'set-user-password',
      'remove-user',
      'set-role',
      'ban-user',
      'create-user',
    ]
    for (const path of paths) {
      const body = {
        userId: ann.id,
        newPassword: 'correct horse',
        role: 'admin',
        email: 'x@example.org',
        password: 'correct horse',
        name: 'x',
      }
      const answer = await ask(`${app.address}/api/auth/admin/${path}`, {
        method: 'POST',
        headers: { origin: app.address, cookie: admin.cookie },
        body,
      })
      expect(answer.status).toBe(403)
    }
    const users = await ask(`${app.address}/api/auth/admin/list-users`, { headers: { cookie: admin.cookie } })
    expect(users.status).toBe(403)
  })

  it('16.36a nobody becomes an administrator by updating the own account', async () => {
    const app = await startApp()
    const ann = await signUp(app, 'ann')
    await ask(`${app.address}/api/auth/update-user`, {
      method: 'POST',
      headers: { origin: app.address, cookie: ann.cookie },
      body: { name: 'ann', role: 'admin', banned: false },
    })
    expect(await hasAdmin(app.db)).toBe(false)
  })

  it('16.36a is limited per administrator', async () => {
    const admin = await signUpAdmin(app)
    freezeWindows()
    const calls = Array.from({ length: callRates.admin.points + 5 }, () =>
      app.call(admin, 'GET', '/api/admin/invites').then(
        () => 'ok',
        (error: { code: string }) => error.code,
      ),
    )
    expect((await Promise.all(calls)).filter((code) => code === 'rate_limited')).toHaveLength(5)
  })
})

describe('users', () => {
  it('16.37 a disabled user is signed out everywhere at once, and is refused with a reason', async () => {
    const admin = await signUpAdmin(app)
    const ann = await signUpOverHttp(app, 'ann')
    const { email } = (await app.call<{ profile: { email: string } }>(ann, 'GET', '/api/profile')).profile
    const { socket } = await connect(app, ann)
    const ended = new Promise((resolve) => socket.once('disconnect', resolve))
    expect(await patchUser(app, admin, ann.id, { isDisabled: true })).toMatchObject({
      user: { username: 'ann', isDisabled: true },
    })
    expect(await ended).toBe('io server disconnect')
    await expect(app.call(ann, 'GET', '/api/profile')).rejects.toMatchObject({ code: 'unauthenticated' })
    const signIn = () =>
      ask(`${app.address}/api/auth/sign-in/email`, {
        method: 'POST',
        headers: { origin: app.address },
        body: { email, password: 'correct horse' },
      })
    const refused = await signIn()
    expect(refused.status).toBe(403)
    expect(refused.json).toMatchObject({
      error: {
        code: 'account_disabled',
        message: 'This account is disabled. Ask the administrator of this server',
      },
    })
    await patchUser(app, admin, ann.id, { isDisabled: false })
    expect((await signIn()).status).toBe(200)
  })

  it('16.37 there is always an administrator who can act', async () => {
    const app = await startApp()
    const [root, ann] = [await signUpAdmin(app), await signUp(app, 'ann')]
    const last = { code: 'invalid_input', message: /There must be an administrator/ }
    await expect(patchUser(app, root, root.id, { isAdmin: false })).rejects.toMatchObject({ code: last.code })
    await expect(patchUser(app, root, root.id, { isDisabled: true })).rejects.toMatchObject({
      code: last.code,
    })
    await patchUser(app, root, ann.id, { isAdmin: true })
    await patchUser(app, ann, root.id, { isAdmin: false })
    await expect(patchUser(app, root, ann.id, { isAdmin: false })).rejects.toMatchObject({
      code: 'not_admin',
    })
    await expect(patchUser(app, ann, ann.id, { isAdmin: false })).rejects.toThrow(last.message)
  })

  it('16.228 deletes an account with its rooms, ends its connections, and says so in the log', async () => {
    const { logger, lines } = captureLog()
    const app = await startApp({ logger })
    const [admin, ann] = [await signUpAdmin(app), await signUp(app, 'ann')]
    const room = { name: 'Attic', isPublic: true, preferredSource: 'library' }
    const { id } = await app.call<{ id: string }>(ann, 'POST', '/api/rooms', room)
    const client = await connect(app, ann)
    await client.ask('join_room', { roomId: id })
    await app.call(admin, 'DELETE', `/api/admin/users/${ann.id}`)
    await vi.waitFor(() => expect(client.socket.connected).toBe(false))
    expect(await findUser(app.db, ann.id)).toBeNull()
    await expect(app.call(admin, 'GET', `/api/rooms/${id}`)).rejects.toMatchObject({ code: 'room_not_found' })
    await expect(app.call(ann, 'GET', '/api/profile')).rejects.toMatchObject({ code: 'unauthenticated' })
    const again = app.call(admin, 'DELETE', `/api/admin/users/${ann.id}`)
    await expect(again).rejects.toMatchObject({ code: 'not_found' })
    const action = { security: 'admin_action', userId: admin.id, action: 'delete_user', target: ann.id }
    await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining(action)))
  })

  it('16.228 no administrator deletes the own account this way', async () => {
    const admin = await signUpAdmin(app)
    const own = app.call(admin, 'DELETE', `/api/admin/users/${admin.id}`)
    await expect(own).rejects.toThrow('You can delete your own account on your profile')
    expect(await findUser(app.db, admin.id)).not.toBeNull()
  })

  it('16.37 a reset link sets a new password once; the log names the action and not the link', async () => {
    const { logger, lines } = captureLog()
    const app = await startApp({ logger })
    const [admin, ann] = [await signUpAdmin(app), await signUpOverHttp(app, 'ann')]
    const { link } = await app.call<{ link: string }>(admin, 'POST', `/api/admin/users/${ann.id}/reset-link`)
    const token = new URL(link).hash.slice(1)
    const reset = () =>
      ask(`${app.address}/api/auth/reset-password`, {
        method: 'POST',
        headers: { origin: app.address },
        body: { token, newPassword: 'another horse' },
      })
    expect((await reset()).status).toBe(200)
    expect((await reset()).status).toBe(400)
    await vi.waitFor(() =>
      expect(lines).toContainEqual(
        expect.objectContaining({ security: 'admin_action', action: 'create_reset_link', target: ann.id }),
      ),
    )
    expect(JSON.stringify(lines)).not.toContain(token)
  })

  it('16.36b are found by parts of name and email, in pages, newest first', async () => {
    const admin = await signUpAdmin(app)
    for (let index = 0; index < serverLimits.adminPageSize + 2; index += 1)
      await signUp(app, `listener ${index}`)
    await signUp(app, '100%_ann')
    const list = (query: string) =>
      app.call<{ users: { username: string }[]; total: number; nextOffset: number | null }>(
        admin,
        'GET',
        `/api/admin/users${query}`,
      )
    const first = await list('?q=LISTENER')
    expect(first).toMatchObject({
      total: serverLimits.adminPageSize + 2,
      nextOffset: serverLimits.adminPageSize,
    })
    expect(await list(`?q=listener&offset=${first.nextOffset}`)).toMatchObject({ nextOffset: null })
    expect((await list(`?q=${encodeURIComponent('100%_')}`)).users.map(({ username }) => username)).toEqual([
      '100%_ann',
    ])
    expect((await list(`?q=${encodeURIComponent('%')}`)).total).toBe(1)
  })
})

describe('rooms, library and figures', () => {
  it('16.36b a room is renamed and deleted; its members find that it is gone', async () => {
    const [admin, ann] = [await signUpAdmin(app), await signUp(app, 'ann')]
    const body = { name: 'Attic', isPublic: true, preferredSource: 'library' }
    const { id } = await app.call<{ id: string }>(ann, 'POST', '/api/rooms', body)
    const client = await connect(app, ann)
    await client.ask('join_room', { roomId: id })
    await app.call(admin, 'PATCH', `/api/admin/rooms/${id}`, { name: 'Cellar' })
    expect(await app.call(admin, 'GET', '/api/admin/rooms?q=cell')).toMatchObject({
      rooms: [{ id, name: 'Cellar', ownerName: 'ann', members: 1, isPublic: true }],
      total: 1,
    })
    await app.call(admin, 'DELETE', `/api/admin/rooms/${id}`)
    await expect(app.call(ann, 'GET', `/api/rooms/${id}`)).rejects.toMatchObject({ code: 'room_not_found' })
    await expect(client.ask('request_sync', { roomId: id })).rejects.toMatchObject({ code: 'room_not_found' })
    await expect(app.call(admin, 'DELETE', `/api/admin/rooms/${id}`)).rejects.toMatchObject({
      code: 'room_not_found',
    })
  })

  it('16.36b rooms are found by any part of their name, in whatever case and with every character', async () => {
    const [admin, ann] = [await signUpAdmin(app), await signUp(app, 'ann')]
    for (const name of ['100% Röhren', '100 Gläser'])
      await app.call(ann, 'POST', '/api/rooms', { name, isPublic: true, preferredSource: 'library' })
    for (const q of ['100%', 'RÖHREN', '% r'])
      expect(await app.call(admin, 'GET', `/api/admin/rooms?q=${encodeURIComponent(q)}`)).toMatchObject({
        rooms: [{ name: '100% Röhren' }],
        total: 1,
      })
  })

  it('16.36b the library is scanned on demand, and its problems are shown', async () => {
    const admin = await signUpAdmin(app)
    await app.call(admin, 'POST', '/api/admin/library/scan')
    const state = await vi.waitFor(async () => {
      const answer = await app.call<{ library: { isScanning: boolean } }>(admin, 'GET', '/api/admin/library')
      expect(answer.library.isScanning).toBe(false)
      return answer
    })
    expect(state).toMatchObject({ library: { trackCount: 0, problemCount: 0, problems: [] } })
  })

  it('16.36b figures count users, rooms, members and sockets, and measure the storage', async () => {
    const app = await startApp({ dataDir: await makeDataFolder() })
    const admin = await signUpAdmin(app)
    await connect(app, admin)
    const { figures } = await app.call<{ figures: { storage: object } }>(admin, 'GET', '/api/admin/figures')
    expect(figures).toMatchObject({ users: 1, rooms: 0, members: 0, sockets: 1 })
    for (const name of ['databaseBytes', 'freeDiskBytes']) {
      expect((figures.storage as Record<string, number>)[name]).toBeGreaterThan(0)
    }
  })

  it('16.219 figures measure the parts of the data folder, and nothing else in it', async () => {
    const dataDir = await makeDataFolder()
    const copies = {
      'before-migrations/001.sqlite': 5_000,
      'replaced-2026/secret': 40,
      'backups/monday/covers/a': 700,
    }
    const files = { 'covers/a.webp': 200, 'indexes/b/c': 1_000, 'music/song.mp3': 90_000, ...copies }
    for (const [path, size] of Object.entries(files)) await writeIn(dataDir, path, 'x'.repeat(size))
    const app = await startApp({ dataDir })
    const admin = await signUpAdmin(app)
    const answer = await app.call<{ figures: ServerFigures }>(admin, 'GET', '/api/admin/figures')
    expect(answer.figures.storage).toMatchObject({ coversBytes: 200, cacheBytes: 1_000, copiesBytes: 5_740 })
  })
})

it('16.39 what another program deletes takes effect within seconds: sessions and rooms', async () => {
  const clock = createFakeClock(Date.now())
  const app = await startApp({ clock })
  const ann = await signUp(app, 'ann')
  const { socket } = await connect(app, ann)
  const ended = new Promise((resolve) => socket.once('disconnect', resolve))
  await deleteSessions(app.db, ann.id)
  await clock.advanceAsync(serverLimits.outsideCheckMs)
  expect(await ended).toBe('io server disconnect')
})
