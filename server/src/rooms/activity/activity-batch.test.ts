import { expect, it } from 'vitest'
import { type ActivityLine, createActivityBatch } from './activity-batch.ts'
import { serverLimits } from '../../server-limits.ts'

const startMs = 1_000_000
const describe = ({ kind, userId, title, count }: ActivityLine): string =>
  [userId, kind, count, title].filter((part) => part !== undefined).join(' ')

it('17.34 merges what a user does to the queue, and names its first track', () => {
  const batch = createActivityBatch()
  for (const title of ['One', 'Two', 'Three']) batch.record({ kind: 'added', userId: 'ann', title }, startMs)
  batch.record({ kind: 'added', userId: 'ben', title: 'Four', count: 40 }, startMs)
  batch.record({ kind: 'removed', userId: 'ann', title: 'Two' }, startMs)
  expect(batch.take(startMs).map(describe)).toEqual([
    'ann added 3 One',
    'ben added 40 Four',
    'ann removed 1 Two',
  ])
  expect(batch.isWaiting()).toBe(false)
})

it('17.34 twelve people who join are one line, and so are three hundred', () => {
  const batch = createActivityBatch()
  for (const total of [12, 300]) {
    for (let n = 0; n < total; n++) batch.record({ kind: 'joined', userId: `u${total}-${n}` }, startMs)
    const lines = batch.take(startMs)
    expect(lines.map(describe)).toEqual([`u${total}-0 joined ${total}`])
    expect(lines[0]?.userIds).toHaveLength(serverLimits.activityNamed)
  }
})

it('17.35 whoever leaves and comes back while this is collected, or the reverse, leaves no line', () => {
  const batch = createActivityBatch()
  batch.record({ kind: 'left', userId: 'ann' }, startMs)
  batch.record({ kind: 'joined', userId: 'ann' }, startMs + 1)
  batch.record({ kind: 'joined', userId: 'ben' }, startMs)
  batch.record({ kind: 'left', userId: 'ben' }, startMs + 1)
  batch.record({ kind: 'left', userId: 'cay' }, startMs)
  batch.cancelLeft('cay')
  expect(batch.isWaiting()).toBe(false)
})

it('17.34 whoever is removed did not leave', () => {
  const batch = createActivityBatch()
  batch.record({ kind: 'left', userId: 'ann' }, startMs)
  batch.record({ kind: 'kicked', userId: 'ann' }, startMs)
  expect(batch.take(startMs).map(describe)).toEqual(['ann kicked 1'])
})

it('17.35 a user who adds, removes, joins and leaves all the time costs few lines, and others are still shown', () => {
  const batch = createActivityBatch()
  const shown: string[] = []
  const minutes = 5
  for (let ms = 0; ms < minutes * 60_000; ms += 50) {
    const nowMs = startMs + ms
    const turn = Math.floor(ms / serverLimits.activityBatchMs)
    batch.record({ kind: 'added', userId: 'rude', title: 'Spam' }, nowMs)
    batch.record({ kind: 'removed', userId: 'rude', title: 'Spam' }, nowMs)
    if (ms % serverLimits.activityBatchMs === 0) {
      batch.record({ kind: turn % 2 === 0 ? 'joined' : 'left', userId: 'rude' }, nowMs)
      shown.push(...batch.take(nowMs).map(describe))
    }
  }
  expect(shown.length).toBeLessThanOrEqual(serverLimits.activityPerMember.lines * minutes)
  expect(shown.length).toBeGreaterThan(minutes)
  const nowMs = startMs + minutes * 60_000
  batch.record({ kind: 'added', userId: 'ann', title: 'Neon Harbour' }, nowMs)
  expect(batch.take(nowMs).map(describe)).toContain('ann added 1 Neon Harbour')
})

it('17.35 many users at once cost a bounded number of lines a minute; the rest waits, merged', () => {
  const batch = createActivityBatch()
  const users = 40
  let lines = 0
  for (let ms = 0; ms < 60_000; ms += serverLimits.activityBatchMs) {
    for (let n = 0; n < users; n++)
      batch.record({ kind: 'added', userId: `u${n}`, title: 'Track' }, startMs + ms)
    lines += batch.take(startMs + ms).length
  }
  expect(lines).toBe(serverLimits.activityPerRoom.lines)
  const later = batch.take(startMs + 60_000)
  expect(later.length).toBeGreaterThan(0)
  expect(later[0]?.count).toBeGreaterThan(1)
})

it('17.35 what waits is bounded, and nothing is kept once it is over', () => {
  const batch = createActivityBatch()
  for (let n = 0; n < 3 * serverLimits.activityWaitingMax; n++) {
    batch.record({ kind: 'joined', userId: `u${n}` }, startMs)
  }
  expect(batch.take(startMs)).toMatchObject([{ count: serverLimits.activityWaitingMax }])
  expect(batch.isIdle(startMs)).toBe(false)
  expect(batch.isIdle(startMs + serverLimits.activityPerRoom.perMs)).toBe(true)
})
