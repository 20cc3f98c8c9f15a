import { limits } from '@earshot/core/limits'
import type { Activity } from '@earshot/core/protocol/activity'
import { expect, it } from 'vitest'
import { emptyRoom } from '../testing/room-fixtures.ts'
import { applyActivity } from './activity.ts'
import type { RoomState } from './room-state.ts'

const joinedAtMs = 10_000
const joined: RoomState = { ...emptyRoom('ann'), activity: { lines: [], joinedAtMs } }
const line = (part: Partial<Activity>): Activity => ({
  id: 'a1',
  atMs: joinedAtMs + 1_000,
  kind: 'joined',
  user: { id: 'ben', username: 'ben' },
  ...part,
})
const idsAfter = (...lines: Activity[]) =>
  lines.reduce(applyActivity, joined).activity.lines.map(({ id }) => id)

it('17.36 shows each line once, and keeps the latest ones', () => {
  expect(idsAfter(line({}), line({}), line({ id: 'a2' }))).toEqual(['a1', 'a2'])
  const many = Array.from({ length: limits.activityShown + 5 }, (_, index) => line({ id: `b${index}` }))
  expect(idsAfter(...many)).toHaveLength(limits.activityShown)
  expect(idsAfter(...many).at(-1)).toBe(`b${limits.activityShown + 4}`)
})

it('17.36 does not show the viewer that they joined or left', () => {
  const own = { id: 'ann', username: 'ann' }
  expect(idsAfter(line({ user: own }), line({ id: 'a2', kind: 'left', user: own }))).toEqual([])
  expect(idsAfter(line({ kind: 'added', user: own, title: 'One' }))).toEqual(['a1'])
  // The viewer is one of the twelve.
  expect(idsAfter(line({ count: 12, atMs: joinedAtMs - 500 }))).toEqual([])
  expect(idsAfter(line({ count: 12 }))).toEqual(['a1'])
})

it('17.36 shows who joined after the viewer where one line covers both', () => {
  const people = ['cay', 'ann', 'ben', 'dan', 'eve'].map((id) => ({ id, username: id }))
  const shown = (users: typeof people, count = users.length) =>
    applyActivity(joined, line({ user: users[0] ?? null, users, count, atMs: joinedAtMs - 500 })).activity
      .lines
  expect(shown(people.slice(0, 2))).toEqual([])
  expect(shown(people.slice(1, 3))).toMatchObject([{ user: { id: 'ben' } }])
  expect(shown(people.slice(1, 3))[0]?.count).toBeUndefined()
  expect(shown(people, 40)).toMatchObject([{ user: { id: 'ben' }, count: 38 }])
  // Nobody knows whether the rest came before the viewer.
  expect(shown(people.slice(2), 40)).toEqual([])
})
