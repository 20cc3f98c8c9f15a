import { randomUUID } from 'node:crypto'
import type { RoomSettings, SourceStatus } from '@earshot/core/protocol/entities'
import { makeTrack } from '@earshot/core/testing/tracks'
import { expect, it } from 'vitest'
import { upsertTracks } from '../src/db/tracks.ts'
import { enterAsGuest, signUp, startApp, type TestUser } from './apps.ts'
import { freezeWindows } from './rate-windows.ts'
import { connect, joinAs, openJoinedRoom } from './sockets.ts'

it('17.356 a guest learns which sources an account could search', async () => {
  const app = await startApp({ variables: { YOUTUBE_API_KEY: 'key' } })
  const gus = await enterAsGuest(app, 'Gus')
  const list = async (user: TestUser) =>
    (await app.call<{ sources: SourceStatus[] }>(user, 'GET', '/api/sources')).sources
  const youtube = { source: 'youtube', available: true, reason: null }
  const forGuest = { ...youtube, canSearch: false, searchNeedsAccount: true }
  expect(await list(gus)).toContainEqual(expect.objectContaining(forGuest))
  const forAnn = await list(await signUp(app, 'ann'))
  expect(forAnn).toContainEqual(expect.objectContaining({ ...youtube, canSearch: true }))
  expect(forAnn.filter((source) => 'searchNeedsAccount' in source)).toEqual([])
})

it('17.360 a room may refuse changes of its queue by guests, over HTTP and sockets, and by nobody else', async () => {
  const app = await startApp()
  const { id: roomId, owner, tracks } = await openJoinedRoom(app, { trackCount: 1 })
  const change = (settings: Partial<RoomSettings>) =>
    app.call(owner.user, 'PATCH', `/api/rooms/${roomId}`, { settings })
  await change({ guests: 'everyone', guestsQueue: false })
  const gus = await enterAsGuest(app, 'Gus')
  const client = await connect(app, gus)
  await client.ask('join_room', { roomId })
  const refused = expect.objectContaining({ code: 'guests_cannot_queue' })
  const other = makeTrack('t-elsewhere')
  await upsertTracks(app.db, [other], 1)
  const trackId = tracks[0]?.id ?? ''
  const path = `/api/rooms/${roomId}/queue`
  await expect(app.call(gus, 'POST', path, { trackId })).rejects.toEqual(refused)
  const imported = app.call(gus, 'POST', `${path}/import`, { importId: randomUUID(), trackIds: [trackId] })
  await expect(imported).rejects.toEqual(refused)
  await expect(client.ask('queue_updated', { roomId, queue: [{ id: trackId }] })).rejects.toEqual(refused)
  const add = { type: 'add', trackId } as const
  const command = { roomId, command: add, commandId: randomUUID() }
  await expect(client.ask('queue_command', command)).rejects.toEqual(refused)
  await change({ control: 'everybody' })
  await expect(client.ask('track_changed', { roomId, trackId: other.id })).rejects.toEqual(refused)
  await client.ask('track_changed', { roomId, trackId })
  await owner.ask('queue_command', { ...command, commandId: randomUUID() })
  await change({ guestsQueue: true })
  await client.ask('queue_command', command)
})

it('16.245 guests without rights who flood a room take no change from its members', async () => {
  const app = await startApp()
  const { id: roomId, owner, tracks } = await openJoinedRoom(app, { trackCount: 1 })
  const settings: Partial<RoomSettings> = { guests: 'everyone', guestsQueue: false }
  await app.call(owner.user, 'PATCH', `/api/rooms/${roomId}`, { settings })
  const [trackId, path] = [tracks[0]?.id ?? '', `/api/rooms/${roomId}/queue`]
  const ann = await joinAs(app, roomId, 'ann')
  const guests = await Promise.all(
    ['Gus', 'Gil', 'Gia', 'Ged'].map(async (name) => {
      const client = await connect(app, await enterAsGuest(app, name))
      await client.ask('join_room', { roomId })
      return client
    }),
  )
  freezeWindows()
  const flood = guests.flatMap((guest) =>
    Array.from({ length: 19 }, () => [
      guest.askRaw('direct_command', { roomId, command: 'pause' }),
      guest.askRaw('queue_command', {
        roomId,
        command: { type: 'add', trackId },
        commandId: randomUUID(),
      }),
    ]).flat(),
  )
  const answers = await Promise.all(flood)
  const codes = answers.map((answer) => (answer.ok ? 'ok' : answer.error.code))
  expect(new Set(codes)).toEqual(new Set(['not_owner', 'guests_cannot_queue']))
  await app.call(ann.user, 'POST', path, { trackId })
})
