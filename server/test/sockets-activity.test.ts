import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it, vi } from 'vitest'
import { signUp, startApp } from './apps.ts'
import { makeDataFolder } from './databases.ts'
import { type TestClient, connect, joinAs, openJoinedRoom, renewable } from './sockets.ts'
import { serverLimits } from '../src/server-limits.ts'

const linesOf = (client: TestClient): string[] =>
  client
    .all('activity')
    .map(({ kind, user, title, count }) => [user?.username, kind, count, title].filter(Boolean).join(' '))

async function openRoom() {
  const clock = createFakeClock()
  const app = await startApp({ clock })
  const room = await openJoinedRoom(app)
  const ann = await joinAs(app, room.id, 'ann')
  clock.advance(serverLimits.activityBatchMs)
  await room.owner.hear('activity', ({ kind, count }) => kind === 'joined' && count === 2)
  await room.owner.hear('activity', ({ kind, count }) => kind === 'added' && count === 3)
  room.owner.forget()
  /** Resolves to the lines that the owner hears next. */
  const nextLines = async () => {
    room.owner.forget()
    clock.advance(serverLimits.activityBatchMs)
    await room.owner.hear('activity')
    await room.owner.ask('echo', {})
    return linesOf(room.owner)
  }
  return { app, clock, ...room, ann, nextLines }
}

describe('activity of a room', () => {
  it('17.34 one line says who added, removed and skipped what', async () => {
    const { app, id: roomId, owner, ann, nextLines } = await openRoom()
    const { queue } = await app.call<{ queue: { entry_id: string }[] }>(
      ann.user,
      'GET',
      `/api/rooms/${roomId}/queue`,
    )
    for (const trackId of ['t1', 't2']) {
      await app.call(ann.user, 'POST', `/api/rooms/${roomId}/queue`, { trackId })
    }
    await app.call(ann.user, 'DELETE', `/api/rooms/${roomId}/queue/${queue[0]?.entry_id}`)
    expect(await nextLines()).toEqual(['ann added 2 Title of t1', 'ann removed Title of t2'])

    const { queue: left } = await ann.ask('request_sync', { roomId })
    const order = left.toReversed().map(({ id, entry_id }) => ({ id, entry_id }))
    await ann.ask('queue_updated', { roomId, queue: [order[order.length - 2], order.at(-1)] })
    await owner.ask('direct_command', { roomId, command: 'next' })
    expect(await nextLines()).toEqual(['ann played_next Title of t1', 'owner skipped Title of t1'])
  })

  it('17.34 people who come and go are one line each, and a removed member is said to be removed', async () => {
    const { app, id: roomId, owner, ann, nextLines } = await openRoom()
    const guests = await Promise.all(['ben', 'cay', 'dan'].map((name) => joinAs(app, roomId, name)))
    const [joined] = await nextLines()
    expect(joined).toMatch(/^(ben|cay|dan) joined 3$/)
    const named = owner.all('activity').flatMap(({ users = [] }) => users.map(({ username }) => username))
    expect(named.toSorted()).toEqual(['ben', 'cay', 'dan'])
    for (const guest of guests) await guest.ask('user_left', { roomId })
    const [left] = await nextLines()
    expect(left).toMatch(/^(ben|cay|dan) left 3$/)
    await app.call(owner.user, 'POST', `/api/rooms/${roomId}/members/${ann.user.id}/kick`)
    expect(await nextLines()).toEqual(['ann kicked'])
  })

  it('17.34 a guest who becomes an account, whose user is deleted, has not left', async () => {
    const { app, id: roomId, nextLines } = await openRoom()
    const gus = await joinAs(app, roomId, 'gus')
    expect(await nextLines()).toEqual(['gus joined'])
    await app.db.deleteFrom('profiles').where('id', '=', gus.user.id).execute()
    await gus.ask('user_left', { roomId })
    await joinAs(app, roomId, 'gustav')
    expect(await nextLines()).toEqual(['gustav joined'])
  })

  it('17.35 whoever leaves and comes back within seconds is not mentioned', async () => {
    const { clock, id: roomId, owner, ann } = await openRoom()
    for (let turn = 0; turn < 3; turn++) {
      await ann.ask('user_left', { roomId })
      await ann.ask('join_room', { roomId })
    }
    clock.advance(10 * serverLimits.activityBatchMs)
    await owner.ask('echo', {})
    expect(linesOf(owner)).toEqual([])
  })

  it('17.35 members who come back after a restart of the server have not joined', async () => {
    const dataDir = await makeDataFolder()
    const clock = createFakeClock()
    const before = await startApp({ dataDir, clock })
    const { id: roomId, owner } = await openJoinedRoom(before)
    const ann = await signUp(before, 'ann')
    await (await connect(before, ann)).ask('join_room', { roomId })
    await before.close()

    const app = await startApp({ dataDir, clock })
    const again = await connect(app, owner.user)
    await again.ask('join_room', { roomId })
    await (await connect(app, ann)).ask('join_room', { roomId })
    await joinAs(app, roomId, 'ben')
    await vi.waitFor(() => {
      clock.advance(serverLimits.activityBatchMs)
      expect(linesOf(again)).toEqual(['ben joined'])
    }, renewable)
  })
})
