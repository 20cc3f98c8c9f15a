import { randomUUID } from 'node:crypto'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it } from 'vitest'
import { serverLimits } from '../src/server-limits.ts'
import { enterAsGuest, signUpOverHttp, startApp } from './apps.ts'
import { ask } from './ask.ts'
import { connect, openJoinedRoom } from './sockets.ts'

async function openRoomOfGuests() {
  const clock = createFakeClock()
  const app = await startApp({ clock })
  const room = await openJoinedRoom(app, { trackCount: 0 })
  const settings = JSON.stringify({ guests: 'everyone' })
  await app.db.updateTable('rooms').set({ settings }).where('id', '=', room.id).execute()
  return { app, clock, ...room }
}

it("17.459 who deletes their account has left for those who are there, and their messages are nobody's", async () => {
  const { app, clock, id: roomId, owner } = await openRoomOfGuests()
  const ann = await signUpOverHttp(app, 'ann')
  const client = await connect(app, ann)
  await client.ask('join_room', { roomId })
  await client.ask('send_message', { roomId, message: 'Hello' })
  clock.advance(serverLimits.activityBatchMs)
  await owner.hear('activity', ({ kind }) => kind === 'joined')
  owner.forget()
  await app.call(ann, 'POST', '/api/account/delete', { password: 'correct horse' })
  const { users } = await owner.hear('userPresence')
  expect(users.map(({ username }) => username)).toEqual(['owner'])
  const author = { user_id: ann.id, username: 'Unknown', avatar_url: null }
  expect(await owner.hear('authorChanged')).toEqual({ roomId, userId: ann.id, author })
  clock.advance(serverLimits.activityBatchMs)
  expect(await owner.hear('activity')).toMatchObject({ kind: 'left', user: { id: ann.id, username: 'ann' } })
})

it('17.490 a guest who makes an account is no guest any more for those who are there, nor in the chat', async () => {
  const { app, clock, id: roomId, owner } = await openRoomOfGuests()
  const gus = await enterAsGuest(app, 'Gus')
  const client = await connect(app, gus)
  await client.ask('join_room', { roomId })
  await client.ask('send_message', { roomId, message: 'Hello' })
  clock.advance(serverLimits.activityBatchMs)
  await owner.hear('activity', ({ kind }) => kind === 'joined')
  owner.forget()
  const signedUp = await ask(`${app.address}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { origin: app.address, cookie: gus.cookie },
    body: { email: `gus@${randomUUID()}.example`, password: 'correct horse' },
  })
  const { id } = (signedUp.json as { user: { id: string } }).user
  const author = { user_id: id, username: 'Gus', avatar_url: null }
  expect(await owner.hear('authorChanged')).toEqual({ roomId, userId: gus.id, author })
  const { users } = await owner.hear('userPresence')
  expect(users.map(({ username }) => username)).toEqual(['owner'])
  // They have not left: their page comes back as the account.
  clock.advance(serverLimits.activityBatchMs)
  await owner.ask('echo', {})
  expect(owner.all('activity')).toEqual([])
})
