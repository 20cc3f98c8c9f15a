import type { Door } from '@earshot/core/protocol/door-calls'
import type { Room } from '@earshot/core/protocol/entities'
import { expect, it } from 'vitest'
import { signUp, startApp } from './apps.ts'
import { ask } from './ask.ts'
import { makeFolder, writeIn } from './folders.ts'
import { openJoinedRoom } from './sockets.ts'

it('16.264 strangers see neither who has the controls of a private room nor from which source its track is', async () => {
  const app = await startApp()
  const room = await openJoinedRoom(app, { trackCount: 1, password: 'sesame' })
  const { user: owner } = room.owner
  const [ann, stranger] = [await signUp(app, 'ann'), await signUp(app, 'stranger')]
  await app.db
    .updateTable('rooms')
    .set({ controller_id: ann.id, preferred_source: 'spotify' })
    .where('id', '=', room.id)
    .execute()
  const find = async (user: typeof ann | null) =>
    (await app.call<{ room: Room }>(user, 'GET', `/api/rooms/${room.id}`)).room
  const list = async (user: typeof ann | null, source: string) =>
    (await app.call<{ rooms: Room[] }>(user, 'GET', `/api/rooms?source=${source}`)).rooms
  expect((await find(owner)).controller).toEqual({ id: ann.id, username: 'ann' })
  for (const viewer of [null, stranger]) {
    expect((await find(viewer)).controller).toBeNull()
    expect(await list(viewer, 'library')).toEqual([])
    expect(await list(viewer, 'spotify')).toMatchObject([{ id: room.id, controller: null }])
  }
  await app.db.updateTable('rooms').set({ is_public: 1 }).execute()
  expect((await find(stranger)).controller).toEqual({ id: ann.id, username: 'ann' })
})

it('17.435 of a private room that is not listed, strangers learn only that it is private', async () => {
  const pageFolder = await makeFolder()
  await writeIn(pageFolder, 'index.html', '<!doctype html><head><title>Earshot</title></head>')
  const app = await startApp({ pageFolder })
  const room = await openJoinedRoom(app, { trackCount: 1, password: 'sesame' })
  const { user: owner } = room.owner
  const path = `/api/rooms/${room.id}`
  const [member, stranger] = [await signUp(app, 'member'), await signUp(app, 'stranger')]
  await app.call(member, 'POST', `${path}/join`, { password: 'sesame' })
  await app.call(owner, 'PATCH', path, { settings: { listed: false } })
  const { token } = await app.call<{ token: string }>(owner, 'POST', `${path}/invites`)
  const list = async (user: typeof owner | null, query: string) =>
    (await app.call<{ rooms: Room[] }>(user, 'GET', `/api/rooms?${query}`)).rooms.map(({ name }) => name)
  const find = async (user: typeof owner | null) => (await app.call<{ room: Room }>(user, 'GET', path)).room
  const knock = async (user: typeof owner | null) =>
    (await app.call<{ door: Door }>(user, 'GET', `${path}/door`)).door

  const unknown = { name: '', owner: { username: '', avatar: null }, listeners: 0, faces: [], track: null }
  for (const viewer of [null, stranger]) {
    expect(await list(viewer, '')).toEqual([])
    expect(await list(viewer, 'q=room')).toEqual([])
    expect(await find(viewer)).toMatchObject({ name: '', owner_id: '', listeners: 0, currentTrack: null })
    expect((await find(viewer)).owner).toEqual({ username: 'Unknown', avatar_url: null })
    expect(await knock(viewer)).toMatchObject({ ...unknown, isPublic: false, asksPassword: true })
  }
  const { text } = await ask(`${app.address}/room/${room.id}`, { headers: { accept: 'text/html' } })
  expect(text).toContain('<title>Earshot</title>')
  expect(text).not.toMatch(/og:title|:"Room"|:"owner"/)

  expect(await list(owner, 'scope=own')).toEqual(['Room'])
  for (const viewer of [owner, member]) {
    expect(await find(viewer)).toMatchObject({ name: 'Room', owner_id: owner.id, listeners: 2 })
    expect(await knock(viewer)).toMatchObject({ name: 'Room', owner: { username: 'owner' } })
  }
  const { door } = await app.call<{ door: Door }>(null, 'POST', `${path}/door`, { invite: token })
  expect(door).toMatchObject({ name: 'Room', owner: { username: 'owner' }, isInvited: true })

  await app.call(owner, 'PATCH', path, { isPublic: true })
  expect(await find(stranger)).toMatchObject({ name: 'Room', owner_id: owner.id })
})
