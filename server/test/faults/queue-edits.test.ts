import { applyQueueDelta } from '@earshot/core/room/queue-delta'
import type { QueueEntry } from '@earshot/core/protocol/entities'
import { expect, it, vi } from 'vitest'
import { openSpreadRoom, startCluster } from './cluster.ts'
import { connect, type TestClient } from '../sockets.ts'

const edits = 16
const killAfter = 5

interface NumberedQueue {
  queue: readonly QueueEntry[]
  version: number
}

const idsOf = ({ queue }: Pick<NumberedQueue, 'queue'>): string[] => queue.map((entry) => entry.entry_id)

/** Applies the differences that a client heard, as a page does: a gap, which it would ask about, ends them. */
function follow(known: NumberedQueue, client: TestClient): NumberedQueue {
  return client
    .all('queueDelta')
    .toSorted((one, other) => one.version - other.version)
    .reduce((queue, delta) => applyQueueDelta(queue, delta) ?? queue, known)
}

it('15.56 the process of the owner dies under queue edits: each acknowledged one is stored once, and every member has the same queue', async () => {
  const cluster = await startCluster()
  const [dying, second] = cluster.servers
  const { roomId, owner: controls, ann, ben } = await openSpreadRoom(cluster)
  const joined = await ann.ask('request_sync', { roomId, queueDeltas: true })
  const known = { queue: joined.queue, version: joined.queueVersion ?? 0 }
  for (const client of [ann, ben]) client.forget()

  const acknowledged = new Set<string>()
  let answers = 0
  const edit = async (): Promise<void> => {
    const answer = await controls.ask('queue_updated', { roomId, queue: [{ id: 't1' }] }).catch(() => null)
    for (const { entry_id } of answer?.queue ?? []) acknowledged.add(entry_id)
    if (answer && (answers += 1) === killAfter) await dying.kill()
  }
  await Promise.all(Array.from({ length: edits }, edit))
  await vi.waitFor(() => expect(controls.socket.connected).toBe(false))
  expect(answers).toBeLessThan(edits)

  const stored = await ann.ask('request_sync', { roomId, queueDeltas: true })
  const ids = idsOf(stored)
  expect(new Set(ids).size).toBe(ids.length)
  expect([...acknowledged].filter((id) => !ids.includes(id))).toEqual([])
  expect(stored.queue.map((entry) => entry.position)).toEqual(stored.queue.map((_, index) => index))
  const followed = follow(known, ann)
  expect(ids.slice(0, followed.queue.length)).toEqual(idsOf(followed))

  // Back on another process, the owner's next edit reaches everybody, whatever the dead process did not send.
  const back = await connect(second, controls.user)
  await back.ask('join_room', { roomId })
  const { queue } = await back.ask('queue_updated', { roomId, queue: [{ id: 't2' }] })
  const whole = await ben.hear('queueUpdate', (heard) => heard.queue.length === queue.length)
  expect(idsOf(whole)).toEqual(idsOf({ queue }))
  const delta = await ann.hear('queueDelta', (heard) => heard.version === (stored.queueVersion ?? 0) + 1)
  const after = applyQueueDelta({ queue: stored.queue, version: stored.queueVersion ?? 0 }, delta)
  expect(after && idsOf(after)).toEqual(idsOf({ queue }))
})
