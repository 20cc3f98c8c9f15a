import { randomUUID } from 'node:crypto'
import type { QueueEntry } from '@earshot/core/protocol/entities'
import { trackAudioPath, trackStreamPath } from '@earshot/core/protocol/media-paths'
import { makeTrack } from '@earshot/core/testing/tracks'
import { describe, expect, it } from 'vitest'
import { startApp, signUp, type TestApp, type TestUser } from '../../test/apps.ts'
import { writeIn } from '../../test/folders.ts'
import { idOf } from '../../test/music.ts'
import { addRoom, startMusicServer } from '../../test/music-server.ts'
import { connect } from '../../test/sockets.ts'
import { makeWav } from '../../test/wav.ts'
import { upsertTracks } from '../db/tracks.ts'
import { writeAdmin, writeLibraryAccess } from '../db/users.ts'

const invited = { LIBRARY_ACCESS: 'invited' }

describe('LIBRARY_ACCESS=invited', () => {
  it('16.38a a member without access gets the sound of the current and the next track only', async () => {
    const { db, request } = await startMusicServer(async (musicDir) => {
      for (const title of ['One', 'Two', 'Three', 'Four']) {
        await writeIn(musicDir, `${title}.wav`, makeWav({ title, durationMs: 1_000 }))
      }
    }, invited)
    const ids = await Promise.all(['One', 'Two', 'Three', 'Four'].map((title) => idOf(db, title)))
    await addRoom(db, 'room', { members: ['member'], current: ids[0], queued: [ids[1] ?? '', ids[2] ?? ''] })
    for (const pathOf of [trackAudioPath, trackStreamPath]) {
      const statuses = await Promise.all(
        ids.map(async (id) => (await request(pathOf(id), { user: 'member' })).status),
      )
      expect(statuses).toEqual([200, 200, 403, 403])
      expect((await request(pathOf(ids[0] ?? ''), { user: 'stranger' })).status).toBe(403)
    }
  })

  async function startWithTrack(): Promise<{ app: TestApp; ann: TestUser; roomId: string; trackId: string }> {
    const app = await startApp({ variables: invited })
    const ann = await signUp(app, 'ann')
    const track = makeTrack(`lib_${randomUUID()}`)
    await upsertTracks(app.db, [{ ...track, source: 'library' }], 1)
    const body = { name: 'Attic', isPublic: true, preferredSource: 'library' }
    const { id } = await app.call<{ id: string }>(ann, 'POST', '/api/rooms', body)
    await app.call(ann, 'POST', `/api/rooms/${id}/join`, {})
    return { app, ann, roomId: id, trackId: track.id }
  }

  it('16.38b who signed up a second ago queues no library track, in any way, and searches nothing', async () => {
    const { app, ann, roomId, trackId } = await startWithTrack()
    const closed = { code: 'library_closed' }
    await expect(app.call(ann, 'GET', '/api/tracks?source=library&q=a')).rejects.toMatchObject(closed)
    await expect(app.call(ann, 'GET', '/api/library')).rejects.toMatchObject(closed)
    await expect(app.call(ann, 'POST', `/api/rooms/${roomId}/queue`, { trackId })).rejects.toMatchObject(
      closed,
    )
    const importBody = { importId: 'import-1', trackIds: [trackId] }
    expect(await app.call(ann, 'POST', `/api/rooms/${roomId}/queue/import`, importBody)).toEqual({
      results: [{ trackId, status: 'not_found' }],
    })
    const client = await connect(app, ann)
    await client.ask('join_room', { roomId })
    const queue = [{ id: trackId }]
    await expect(client.ask('queue_updated', { roomId, queue })).rejects.toMatchObject(closed)
    await expect(client.ask('track_changed', { roomId, trackId })).rejects.toMatchObject(closed)
  })

  it('16.38b what one of their rooms has, they move and play there, and take to no other room', async () => {
    const { app, ann, roomId, trackId } = await startWithTrack()
    const other = makeTrack(`lib_${randomUUID()}`)
    await upsertTracks(app.db, [{ ...other, source: 'library' }], 1)
    await writeLibraryAccess(app.db, ann.id, true)
    for (const id of [trackId, other.id, trackId])
      await app.call(ann, 'POST', `/api/rooms/${roomId}/queue`, { trackId: id })
    await writeLibraryAccess(app.db, ann.id, false)

    const closed = { code: 'library_closed' }
    const body = { name: 'Cellar', isPublic: true, preferredSource: 'library' }
    const { id: ownId } = await app.call<{ id: string }>(ann, 'POST', '/api/rooms', body)
    const client = await connect(app, ann)
    await client.ask('join_room', { roomId: ownId })
    await expect(
      app.call(ann, 'POST', `/api/rooms/${ownId}/queue`, { trackId: other.id }),
    ).rejects.toMatchObject(closed)
    await expect(client.ask('track_changed', { roomId: ownId, trackId: other.id })).rejects.toMatchObject(
      closed,
    )

    await client.ask('join_room', { roomId })
    const path = `/api/rooms/${roomId}/queue`
    const { queue } = await app.call<{ queue: QueueEntry[] }>(ann, 'GET', path)
    const [first, second] = queue.map(({ id, entry_id }) => ({ id, entry_id }))
    expect(await client.ask('queue_updated', { roomId, queue: [second, first] })).toMatchObject({
      queue: [{ id: trackId }, { id: other.id }],
    })
    expect(await client.ask('track_changed', { roomId, trackId: other.id })).toMatchObject({ applied: true })
  })

  it('16.38b an administrator, or whom one lets in, uses it at once', async () => {
    const { app, ann, roomId, trackId } = await startWithTrack()
    const add = () => app.call(ann, 'POST', `/api/rooms/${roomId}/queue`, { trackId })
    await writeLibraryAccess(app.db, ann.id, true)
    expect(await add()).toBeDefined()
    await writeLibraryAccess(app.db, ann.id, false)
    await writeAdmin(app.db, ann.id, true)
    expect(await app.call(ann, 'GET', '/api/library')).toMatchObject({ tracks: [] })
  })
})

it('16.38c without the setting, every account uses the library', async () => {
  const app = await startApp()
  const ann = await signUp(app, 'ann')
  expect(await app.call(ann, 'GET', '/api/library')).toMatchObject({ tracks: [] })
})
