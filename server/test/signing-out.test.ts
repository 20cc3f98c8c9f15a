import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it } from 'vitest'
import { signUp, startApp, type TestApp, type TestUser } from './apps.ts'
import { ask } from './ask.ts'
import { addSession } from './sign-in.ts'
import { connect, openJoinedRoom, type TestClient } from './sockets.ts'

const signOut = (app: TestApp, { cookie }: TestUser) =>
  ask(`${app.address}/api/auth/sign-out`, {
    method: 'POST',
    headers: { cookie, origin: app.address },
    body: {},
  })

const listed = async (owner: TestClient, roomId: string): Promise<string[] | undefined> =>
  (await owner.ask('request_sync', { roomId })).members?.map(({ username }) => username)

it('16.307 who signs out has left their rooms at once', async () => {
  // It stands still: the grace period of a connection that was cut does not pass.
  const app = await startApp({ clock: createFakeClock() })
  const { id: roomId, owner } = await openJoinedRoom(app)
  const ann = await connect(app, await signUp(app, 'ann'))
  await ann.ask('join_room', { roomId })
  owner.forget()
  const closed = new Promise((resolve) => ann.socket.once('disconnect', resolve))
  await signOut(app, ann.user)
  await closed
  await owner.hear('userPresence', ({ count }) => count === 1)
  expect(await listed(owner, roomId)).toEqual(['owner'])
})

it.each([
  ['leaves', (ann: TestClient, roomId: string) => ann.ask('user_left', { roomId })],
  ['signs out', (ann: TestClient, _roomId: string, app: TestApp) => signOut(app, ann.user)],
])('4.9a, 16.307 who %s after a reload has left at once', async (_title, leave) => {
  const app = await startApp({ clock: createFakeClock() })
  const { id: roomId, owner } = await openJoinedRoom(app)
  const user = await signUp(app, 'ann')
  const before = await connect(app, user)
  await before.ask('join_room', { roomId })
  before.socket.disconnect()
  const ann = await connect(app, user)
  await ann.ask('join_room', { roomId })
  owner.forget()
  await leave(ann, roomId, app)
  await owner.hear('userPresence', ({ count }) => count === 1)
  expect(await listed(owner, roomId)).toEqual(['owner'])
})

it('16.307 who is there by another session stays', async () => {
  const app = await startApp()
  const { id: roomId, owner } = await openJoinedRoom(app)
  const user = await signUp(app, 'ann')
  const ann = await connect(app, user)
  const other = await connect(app, { ...user, cookie: await addSession(app.db, app.secret, user.id) })
  for (const client of [ann, other]) await client.ask('join_room', { roomId })
  const closed = new Promise((resolve) => ann.socket.once('disconnect', resolve))
  await signOut(app, ann.user)
  await closed
  await other.ask('send_message', { roomId, message: 'Hello' })
  expect(await listed(owner, roomId)).toEqual(['owner', 'ann'])
})
