import type { Room } from '@earshot/core/protocol/entities'
import type { ProfileStats } from '@earshot/core/protocol/providers'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { httpApi } from '@earshot/core/protocol/http-api'
import { describe, expect, it } from 'vitest'
import { signUp, shareApp, startApp, type TestApp, type TestUser } from '../../../test/apps.ts'
import { joinAs, openJoinedRoom } from '../../../test/sockets.ts'

const { path } = httpApi.getProfile
const read = (app: TestApp, user: TestUser | null) => app.call(user, 'GET', path)
const change = (app: TestApp, user: TestUser | null, changes: object) =>
  app.call(user, 'PATCH', path, changes)

describe('the profile', () => {
  const app = shareApp()

  it('6.2b, 7.7b is read and edited by its user only', async () => {
    const [ann, bob] = [await signUp(app, 'ann'), await signUp(app, 'bob')]
    const changes = { username: 'Anna', full_name: 'Ann Lee', preferred_source: 'youtube' }
    expect(await change(app, ann, changes)).toMatchObject({ profile: { id: ann.id, ...changes } })
    expect(await read(app, ann)).toMatchObject({ profile: { id: ann.id, ...changes } })
    expect(await read(app, bob)).toMatchObject({
      profile: { id: bob.id, username: 'bob', full_name: '', preferred_source: 'library' },
    })
    // The profile is always the session's: a payload cannot name another.
    await expect(change(app, bob, { id: ann.id, username: 'Eve' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await expect(app.call(bob, 'PATCH', `${path}/${ann.id}`, {})).rejects.toMatchObject({ code: 'not_found' })
    expect(await read(app, ann)).toMatchObject({ profile: { username: 'Anna' } })
  })

  it('8.1a, 7.7b requires a session', async () => {
    const refused = { code: 'unauthenticated', message: 'User not authenticated' }
    await expect(read(app, null)).rejects.toMatchObject(refused)
    await expect(change(app, null, { username: 'x' })).rejects.toMatchObject(refused)
  })

  it('3.12a, 7.7b rejects invalid values', async () => {
    const ann = await signUp(app, 'ann')
    for (const changes of [
      { preferred_source: 'radio' },
      { username: '  ' },
      { username: 'x'.repeat(61) },
      { spotify_connected: true },
    ]) {
      await expect(change(app, ann, changes)).rejects.toMatchObject({ code: 'invalid_input' })
    }
    expect(await change(app, ann, {})).toMatchObject({
      profile: { username: 'ann', preferred_source: 'library' },
    })
  })

  it('7.1b names the source of the rooms that its user creates without naming one', async () => {
    const ann = await signUp(app, 'ann')
    const sourceOf = async (body: object) => {
      const { id } = await app.call<{ id: string }>(ann, 'POST', '/api/rooms', { name: 'Friday', ...body })
      return (await app.call<{ room: Room }>(ann, 'GET', `/api/rooms/${id}`)).room.preferred_source
    }
    expect(await sourceOf({})).toBe('library')
    await change(app, ann, { preferred_source: 'youtube' })
    expect(await sourceOf({})).toBe('youtube')
    expect(await sourceOf({ preferredSource: 'spotify' })).toBe('spotify')
  })
})

describe('the statistics', () => {
  const statsOf = async (app: TestApp, user: TestUser | null) =>
    (await app.call<{ stats: ProfileStats }>(user, 'GET', httpApi.getProfileStats.path)).stats

  it('2.32, 3.11 are those of the session, counted while a room plays', async () => {
    const clock = createFakeClock()
    const app = await startApp({ clock })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'ann')
    await owner.ask('direct_command', { roomId, command: 'play' })
    clock.advance(70_000)
    expect(await statsOf(app, owner.user)).toEqual({
      totalRoomsCreated: 1,
      totalPlaytime: 1,
      favoriteService: 'library',
    })
    expect(await statsOf(app, listener.user)).toMatchObject({ totalRoomsCreated: 0, totalPlaytime: 1 })
    await expect(statsOf(app, null)).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  it('16.306 count the rooms that the user created, also those deleted and handed over', async () => {
    const app = await startApp()
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'ann')
    const other = await app.call<{ id: string }>(owner.user, 'POST', '/api/rooms', { name: 'Attic' })
    await app.call(owner.user, 'DELETE', `/api/rooms/${other.id}`)
    await app.call(owner.user, 'POST', `/api/rooms/${roomId}/owner`, { userId: listener.user.id })
    expect(await statsOf(app, owner.user)).toMatchObject({ totalRoomsCreated: 2 })
    expect(await statsOf(app, listener.user)).toMatchObject({ totalRoomsCreated: 0 })
  })
})
