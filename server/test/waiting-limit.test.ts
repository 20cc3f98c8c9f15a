import type { ImportResult } from '@earshot/core/protocol/providers'
import { expect, it } from 'vitest'
import { shareApp } from './apps.ts'
import { type TestClient, joinAs, openJoinedRoom, storeTracks } from './sockets.ts'

const refusal = expect.objectContaining({ code: 'too_many_waiting' })

const app = shareApp()

/** A room of a playing track in which a member may have three waiting. */
async function openLimitedRoom() {
  const { id, owner } = await openJoinedRoom(app, { trackCount: 1 })
  await storeTracks(app.db, 6)
  const ann = await joinAs(app, id, 'ann')
  const path = `/api/rooms/${id}`
  const limit = (waitingTracks: number | null) =>
    app.call(owner.user, 'PATCH', path, { settings: { waitingTracks } })
  await limit(3)
  const add = ({ user }: TestClient, trackId: string) => app.call(user, 'POST', `${path}/queue`, { trackId })
  const addAll = async ({ user }: TestClient, importId: string, trackIds: string[]) => {
    const { results } = await app.call<{ results: ImportResult[] }>(user, 'POST', `${path}/queue/import`, {
      importId,
      trackIds,
    })
    return results.map(({ status }) => status)
  }
  return { id, owner, ann, limit, add, addAll }
}

it('17.478 a member has as many tracks waiting as the owner allows, by each way of adding', async () => {
  const { id: roomId, owner, ann, limit, add } = await openLimitedRoom()
  for (const trackId of ['t1', 't2', 't3']) await add(ann, trackId)
  await expect(add(ann, 't4')).rejects.toEqual(refusal)
  const command = { type: 'add', trackId: 't4' } as const
  await expect(ann.ask('queue_command', { roomId, command, commandId: 'one' })).rejects.toEqual(refusal)
  await expect(ann.ask('queue_updated', { roomId, queue: [{ id: 't4' }] })).rejects.toEqual(refusal)
  for (const trackId of ['t1', 't2', 't3', 't4']) await add(owner, trackId)
  await owner.ask('direct_command', { roomId, command: 'next' })
  await add(ann, 't4')
  await expect(add(ann, 't5')).rejects.toEqual(refusal)
  await limit(null)
  await add(ann, 't5')
  const { queue } = await ann.ask('request_sync', { roomId })
  expect(queue.filter(({ added_by: by }) => by === ann.user.id).map(({ id }) => id)).toEqual([
    't2',
    't3',
    't4',
    't5',
  ])
})

it('17.479 an import adds as many as fit, says which were too many, and adds them later under the same id', async () => {
  const { id: roomId, owner, ann, add, addAll } = await openLimitedRoom()
  await add(ann, 't1')
  const ids = ['t2', 't3', 't4', 't5']
  const tooMany = 'too_many_waiting'
  expect(await addAll(ann, 'album-of-ann', ids)).toEqual(['added', 'added', tooMany, tooMany])
  expect(await addAll(ann, 'album-of-ann', ids)).toEqual(['already_added', 'already_added', tooMany, tooMany])
  await owner.ask('direct_command', { roomId, command: 'next' })
  expect(await addAll(ann, 'album-of-ann', ids)).toEqual(['already_added', 'already_added', 'added', tooMany])
  expect(await addAll(owner, 'album-of-ann', ids)).toEqual(['added', 'added', 'added', 'added'])
})
