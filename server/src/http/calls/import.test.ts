import { upsertTracks } from '../../db/tracks.ts'
import { newId } from '../../ids.ts'
import type { ImportResult } from '@earshot/core/protocol/providers'
import { makeTrack } from '@earshot/core/testing/tracks'
import { describe, expect, it } from 'vitest'
import { type TestApp, type TestUser, signUp, shareApp } from '../../../test/apps.ts'
import { freezeWindows } from '../../../test/rate-windows.ts'
import { joinAs, openJoinedRoom, storeTracks } from '../../../test/sockets.ts'

const importId = () => `import-${newId()}`
const importTo = async (
  app: TestApp,
  user: TestUser | null,
  roomId: string,
  trackIds: string[],
  id: string,
) =>
  (
    await app.call<{ results: ImportResult[] }>(user, 'POST', `/api/rooms/${roomId}/queue/import`, {
      importId: id,
      trackIds,
    })
  ).results
const statuses = (results: ImportResult[]) => results.map(({ status }) => status)

describe('importing tracks', () => {
  const app = shareApp()

  it('15.14 appends them with one broadcast and tells what became of each', async () => {
    const { id, owner } = await openJoinedRoom(app, { trackCount: 1 })
    const bob = await joinAs(app, id, 'bob')
    const tracks = await storeTracks(app.db, 40)
    await upsertTracks(app.db, [{ ...makeTrack('gone'), restriction: 'removed' }], 1)
    owner.forget()
    const ids = [...tracks.map((track) => track.id), 'gone', 'unknown']
    const results = await importTo(app, bob.user, id, ids, importId())
    expect(results.map(({ trackId }) => trackId)).toEqual(ids)
    expect(statuses(results)).toEqual([...Array<string>(40).fill('added'), 'not_playable', 'not_found'])
    const { queue } = await owner.hear('queueUpdate')
    expect(queue.map((entry) => entry.id)).toEqual(tracks.map((track) => track.id))
    expect(queue.every((entry) => entry.added_by === bob.user.id)).toBe(true)
    expect(owner.all('queueUpdate')).toHaveLength(1)
    expect(owner.all('playback_updated')).toEqual([])
  })

  it('15.14 a retry adds nothing twice, not even what was played or removed', async () => {
    const { id, owner } = await openJoinedRoom(app, { trackCount: 0 })
    const ids = (await storeTracks(app.db, 3)).map((track) => track.id)
    const part = importId()
    expect(statuses(await importTo(app, owner.user, id, ids, part))).toEqual(['added', 'added', 'added'])
    await owner.ask('direct_command', { roomId: id, command: 'next' })
    const again = await importTo(app, owner.user, id, ids, part)
    expect(statuses(again)).toEqual(['already_added', 'already_added', 'already_added'])
    const read = () => app.call<{ queue: { id: string }[] }>(owner.user, 'GET', `/api/rooms/${id}/queue`)
    expect((await read()).queue.map((entry) => entry.id)).toEqual(['t3'])
    // Another import of the same tracks is no retry.
    await importTo(app, owner.user, id, ids, importId())
    expect((await read()).queue).toHaveLength(4)
  })

  it('15.14 concurrent retries add nothing twice', async () => {
    const { id, owner } = await openJoinedRoom(app, { trackCount: 1 })
    const ids = (await storeTracks(app.db, 5)).map((track) => track.id)
    const part = importId()
    const all = await Promise.all([1, 2, 3].map(() => importTo(app, owner.user, id, ids, part)))
    expect(all.flatMap(statuses).filter((status) => status === 'added')).toHaveLength(5)
    const { queue } = await app.call<{ queue: unknown[] }>(owner.user, 'GET', `/api/rooms/${id}/queue`)
    expect(queue).toHaveLength(5)
  })

  it('15.14 the same import id is another import for another user, and in another room', async () => {
    const { id, owner } = await openJoinedRoom(app, { trackCount: 1 })
    const bob = await joinAs(app, id, 'bob')
    const part = importId()
    for (const user of [owner.user, bob.user]) {
      expect(statuses(await importTo(app, user, id, ['t1'], part))).toEqual(['added'])
    }
  })

  it('15.14, 9.29 reports the tracks for which the queue had no place', async () => {
    const { id, owner } = await openJoinedRoom(app, { trackCount: 1 })
    const rows = Array.from({ length: 999 }, (_, position) => ({
      entry_id: `e${position}`,
      room_id: id,
      track_id: 't1',
      position,
      added_by: null,
      added_at: 1,
    }))
    for (let from = 0; from < rows.length; from += 100) {
      await app.db
        .insertInto('room_tracks')
        .values(rows.slice(from, from + 100))
        .execute()
    }
    await app.db
      .updateTable('rooms')
      .set({ playback_state: '{"queueVersion":50}' })
      .where('id', '=', id)
      .execute()
    const results = await importTo(app, owner.user, id, ['t1', 't1', 't1'], importId())
    expect(statuses(results)).toEqual(['added', 'queue_full', 'queue_full'])
  })

  it('6.5 is for members', async () => {
    const { id } = await openJoinedRoom(app, { trackCount: 1 })
    const eve = await signUp(app, 'eve')
    await expect(importTo(app, eve, id, ['t1'], importId())).rejects.toMatchObject({ code: 'not_a_member' })
    await expect(importTo(app, null, id, ['t1'], importId())).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  it('refuses more than 50 tracks and odd import ids, and counts as several changes of the queue', async () => {
    const { id, owner } = await openJoinedRoom(app, { trackCount: 0 })
    await storeTracks(app.db, 1)
    const fifty = Array<string>(50).fill('t1')
    const invalid = { code: 'invalid_input' }
    await expect(importTo(app, owner.user, id, [...fifty, 't1'], importId())).rejects.toMatchObject(invalid)
    await expect(importTo(app, owner.user, id, [], importId())).rejects.toMatchObject(invalid)
    await expect(importTo(app, owner.user, id, ['t1'], 'a b')).rejects.toMatchObject(invalid)
    freezeWindows()
    const all = await Promise.allSettled(
      [1, 2, 3].map(() => importTo(app, owner.user, id, fifty, importId())),
    )
    const refused = all.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []))
    expect(refused).toEqual([expect.objectContaining({ code: 'rate_limited' })])
  })
})
