import type { Room } from '@earshot/core/protocol/entities'
import { expect, it } from 'vitest'
import { signUp, startApp } from './apps.ts'
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
