import type { RoomBan } from '@earshot/core/protocol/moderation-calls'
import { expect, it } from 'vitest'
import { shareApp } from './apps.ts'
import { type TestClient, type TestRoom, joinAs, openJoinedRoom } from './sockets.ts'

const refusal = (code: string) => expect.objectContaining({ code })

const app = shareApp()

const ownerOf = ({ id, owner: { user } }: TestRoom) => ({
  ban: (userId: string, body?: object) => app.call(user, 'POST', `/api/rooms/${id}/bans/${userId}`, body),
  lift: (userId: string) => app.call(user, 'DELETE', `/api/rooms/${id}/bans/${userId}`),
  bans: async () => (await app.call<{ bans: RoomBan[] }>(user, 'GET', `/api/rooms/${id}/bans`)).bans,
})

it('17.476 goes with the ban where the owner asks for it: tracks by one change, messages by one event', async () => {
  const room = await openJoinedRoom(app)
  const { id: roomId } = room
  const [ann, ben] = [await joinAs(app, roomId, 'ann'), await joinAs(app, roomId, 'ben')]
  const add = (client: TestClient, commandId: string) =>
    client.ask('queue_command', { roomId, commandId, command: { type: 'add', trackId: 't1' } })
  const say = (client: TestClient, message: string) => client.ask('send_message', { roomId, message })
  const read = async () => {
    const { queue, messages } = await ben.ask('request_sync', { roomId, queueDeltas: true })
    return {
      tracks: queue.filter(({ added_by: by }) => by === ann.user.id).length,
      others: queue.length,
      said: messages?.map(({ content }) => content),
    }
  }
  for (const each of ['a', 'b', 'c']) await add(ann, each)
  await add(ben, 'd')
  for (const each of ['one', 'two', 'three']) await say(ann, each)
  await say(ben, 'four')
  const before = await read()
  expect(before).toEqual({ tracks: 3, others: 6, said: ['one', 'two', 'three', 'four'] })

  await ownerOf(room).ban(ann.user.id)
  expect(await read()).toEqual(before)
  ben.forget()
  await ownerOf(room).ban(ann.user.id, { removeContent: true })
  const deleted = await ben.hear('messagesDeleted')
  expect(deleted).toMatchObject({ roomId, userId: ann.user.id })
  expect(await read()).toEqual({ tracks: 0, others: 3, said: ['four'] })
  expect(ben.all('queueDelta')).toHaveLength(1)
  expect(ben.all('messageDeleted')).toEqual([])

  // Messages written after the ban was lifted are younger than those deleted.
  await ownerOf(room).lift(ann.user.id)
  await ann.ask('join_room', { roomId })
  expect((await say(ann, 'sorry')).message.id > deleted.upToId).toBe(true)
  ben.forget()
  await ownerOf(room).ban(ann.user.id, { removeContent: true })
  await ben.hear('messagesDeleted')
  expect(ben.all('queueDelta')).toEqual([])
  expect((await read()).said).toEqual(['four'])
})

it('17.476 nothing brings it back: no repeat of the current track, and no Undo of what was cleared before', async () => {
  const room = await openJoinedRoom(app, { trackCount: 1 })
  const { id: roomId, owner } = room
  const ann = await joinAs(app, roomId, 'ann')
  await app.call(owner.user, 'PATCH', `/api/rooms/${roomId}`, { settings: { repeat: true } })
  for (const commandId of ['a', 'b', 'c'])
    await ann.ask('queue_command', { roomId, commandId, command: { type: 'add', trackId: 't1' } })
  await owner.ask('direct_command', { roomId, command: 'next' })
  await owner.ask('queue_command', { roomId, commandId: 'clear', command: { type: 'clear' } })
  await ownerOf(room).ban(ann.user.id, { removeContent: true })
  const undo = { type: 'restore_cleared', clearId: 'clear' } as const
  const undone = await owner.ask('queue_command', { roomId, commandId: 'undo', command: undo })
  expect(undone).toMatchObject({ applied: true })
  await owner.ask('direct_command', { roomId, command: 'next' })
  const { queue, state } = await owner.ask('request_sync', { roomId })
  expect([state.track_id, queue.map(({ added_by: by }) => by)]).toEqual(['t1', []])
})

it('17.477 a ban refuses fields that it does not know, such as an end', async () => {
  const room = await openJoinedRoom(app)
  const ann = await joinAs(app, room.id, 'ann')
  const { ban, bans } = ownerOf(room)
  for (const body of [{ minutes: 5 }, { removeContent: true, until: 1 }, { removeContent: 'yes' }])
    await expect(ban(ann.user.id, body)).rejects.toEqual(refusal('invalid_input'))
  expect(await bans()).toEqual([])
})
