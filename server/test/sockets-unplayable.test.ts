import type { UnplayableReason } from '@earshot/core/protocol/providers'
import { describe, expect, it, vi } from 'vitest'
import { shareApp } from './apps.ts'
import { joinAs, openJoinedRoom, type TestClient, type TestRoom } from './sockets.ts'

const report = (
  { id: roomId }: TestRoom,
  client: TestClient,
  reason: UnplayableReason,
  ...trackIds: string[]
): Promise<unknown> =>
  client.ask('playability_report', {
    roomId,
    unplayable: trackIds.map((trackId) => ({ trackId, reason })),
  })

const currentTrack = async ({ id: roomId, owner }: TestRoom): Promise<string | null> =>
  (await owner.ask('request_sync', { roomId })).state.track_id

describe('a track that nobody can play', () => {
  const app = shareApp()

  it("15.19 is skipped with a notice once the owner's player says so", async () => {
    const room = await openJoinedRoom(app)
    const ann = await joinAs(app, room.id, 'ann')
    const [current, next] = await tracksOf(room)
    await report(room, room.owner, 'not_embeddable', current)
    expect(await ann.hear('track_unavailable')).toMatchObject({
      roomId: room.id,
      count: 1,
      reason: 'not_embeddable',
    })
    expect(await currentTrack(room)).toBe(next)
  })

  it("15.19 is not skipped by one member, nor for reasons that are the owner's own", async () => {
    const room = await openJoinedRoom(app)
    const ann = await joinAs(app, room.id, 'ann')
    const [current] = await tracksOf(room)
    await report(room, ann, 'removed', current)
    await report(room, room.owner, 'no_premium', current)
    await report(room, room.owner, 'blocked', current)
    await report(room, room.owner, 'removed', 'another')
    expect(await currentTrack(room)).toBe(current)
  })

  it('15.19 is skipped while the owner is away if all who are present report it', async () => {
    const room = await openJoinedRoom(app)
    const [ann, ben] = [await joinAs(app, room.id, 'ann'), await joinAs(app, room.id, 'ben')]
    const [current, next] = await tracksOf(room)
    await room.owner.ask('user_left', { roomId: room.id })
    await report(room, ann, 'removed', current)
    expect(await currentOf(room, ann)).toBe(current)
    await report(room, ben, 'removed', current)
    expect(await currentOf(room, ann)).toBe(next)
  })

  it('15.109 is skipped where it is blocked for all who are present, if its provider offers it in some countries only', async () => {
    const room = await openJoinedRoom(app)
    const ann = await joinAs(app, room.id, 'ann')
    const [first, second, third] = await tracksOf(room)
    for (const client of [room.owner, ann]) await report(room, client, 'blocked', first)
    expect(await currentTrack(room)).toBe(first)
    await app.db.updateTable('tracks').set({ regional: 1 }).where('id', '=', second).execute()
    await room.owner.ask('direct_command', { roomId: room.id, command: 'next' })
    await report(room, room.owner, 'blocked', second)
    expect(await currentTrack(room)).toBe(second)
    await report(room, ann, 'blocked', second)
    expect(await ann.hear('track_unavailable')).toMatchObject({ count: 1, reason: 'blocked' })
    expect(await currentTrack(room)).toBe(third)
  })

  it('15.19 is skipped when it becomes current where its provider restricts it', async () => {
    const room = await openJoinedRoom(app)
    const [, second, third] = await tracksOf(room)
    await app.db.updateTable('tracks').set({ restriction: 'live' }).where('id', '=', second).execute()
    await room.owner.ask('direct_command', { roomId: room.id, command: 'next' })
    await vi.waitFor(async () => expect(await currentTrack(room)).toBe(third))
  })

  it('15.19 is skipped when it becomes current later, and none is skipped for an earlier report that was withdrawn', async () => {
    const room = await openJoinedRoom(app)
    const [, second, third] = await tracksOf(room)
    await report(room, room.owner, 'removed', second, third)
    await report(room, room.owner, 'removed', second)
    await room.owner.ask('direct_command', { roomId: room.id, command: 'next' })
    await vi.waitFor(async () => expect(await currentTrack(room)).toBe(third))
  })
})

const currentOf = async ({ id: roomId }: TestRoom, client: TestClient) =>
  (await client.ask('request_sync', { roomId })).state.track_id

/** The ids of the current track and of the first ones behind it. */
async function tracksOf({ id: roomId, owner }: TestRoom): Promise<[string, string, string]> {
  const { state, queue } = await owner.ask('request_sync', { roomId })
  return [state.track_id ?? '', queue[0]?.id ?? '', queue[1]?.id ?? '']
}
