import { describe, expect, it } from 'vitest'
import { shareApp } from './apps.ts'
import { type TestClient, joinAs, openLongRoom } from './sockets.ts'

const app = shareApp()

describe('a join', () => {
  it('17.493 a join that announces long queues brings the first 50 entries and their number, another one all', async () => {
    const { id: roomId, owner } = await openLongRoom(app, 60)
    const join = (client: TestClient, announced: object) => client.ask('join_room', { roomId, ...announced })
    const all = await join(owner, {})
    expect(all).not.toHaveProperty('queueTotal')
    expect(all.queue).toHaveLength(60)
    const short = await join(await joinAs(app, roomId, 'ann'), { longQueues: true })
    expect(short).toMatchObject({ queueTotal: 60, queueVersion: all.queueVersion })
    expect(short.queue).toEqual(all.queue.slice(0, 50))
    expect(short.members.map((member) => member.username)).toContain('ann')
    const path = `/api/rooms/${roomId}/queue`
    const whole = await app.call(owner.user, 'GET', path)
    expect(whole).toEqual({ queue: all.queue, version: all.queueVersion })
  })

  it('17.493 so does a snapshot that is asked for again, but one of the version that is known', async () => {
    const { id: roomId, owner } = await openLongRoom(app, 60)
    const sync = (asked: object) => owner.ask('request_sync', { roomId, ...asked })
    for (const brief of [true, false]) {
      const short = await sync({ longQueues: true, brief })
      expect([short.queue.length, short.queueTotal]).toEqual([50, 60])
      const { queueVersion } = short
      const known = await sync({ longQueues: true, brief, queueVersion })
      expect(known).toMatchObject({ queue: [], isQueueKnown: true })
      expect(known).not.toHaveProperty('queueTotal')
      expect((await sync({ brief })).queue).toHaveLength(60)
    }
  })

  it('17.493 a queue of 50 comes with the join', async () => {
    const { id: roomId, owner } = await openLongRoom(app, 50)
    const snapshot = await owner.ask('join_room', { roomId, longQueues: true })
    expect(snapshot.queue).toHaveLength(50)
    expect(snapshot).not.toHaveProperty('queueTotal')
  })
})
