import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it } from 'vitest'
import { serverLimits } from '../src/server-limits.ts'
import { signUpOverHttp, startApp } from './apps.ts'
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
