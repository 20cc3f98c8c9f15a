import type { Activity } from '@earshot/core/protocol/activity'
import { act, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderInRoom } from '../../testing/render-in-room.tsx'
import { describeActivity } from '../../texts/people.ts'
import { ActivityItem, LatestActivity, placeActivity } from './activity.tsx'

const ben = { id: 'ben', username: 'ben' }
const line = (part: Partial<Activity>): Activity => ({
  id: 'a1',
  atMs: 1_000,
  kind: 'added',
  user: ben,
  ...part,
})

it('17.36 each kind is one short sentence', () => {
  const texts = [
    line({ title: 'One' }),
    line({ title: 'One', count: 3 }),
    line({ kind: 'removed', title: 'One' }),
    line({ kind: 'skipped', title: 'One', count: 2 }),
    line({ kind: 'played_next', title: 'One' }),
    line({ kind: 'joined' }),
    line({ kind: 'joined', count: 12 }),
    line({ kind: 'left', count: 2 }),
    line({ kind: 'controls' }),
    line({ kind: 'kicked' }),
  ].map((each) => describeActivity(each, false))
  expect(texts).toEqual([
    'ben added “One”',
    'ben added 3 tracks',
    'ben removed “One”',
    'ben skipped 2 tracks',
    'ben put “One” next',
    'ben joined',
    '12 people joined',
    '2 people left',
    'ben has the controls',
    'ben was removed by the owner',
  ])
  expect(describeActivity(line({ kind: 'controls' }), true)).toBe('You have the controls')
  expect(describeActivity({ ...line({}), kind: 'danced' as 'added' }, false)).toBeNull()
})

it('17.36 lines are among the messages by time', () => {
  const messages = [
    { id: 'm1', created_at: 1_000 },
    { id: 'm2', created_at: 3_000 },
  ]
  const lines = [
    line({ id: 'early', atMs: 500 }),
    line({ id: 'between', atMs: 2_000 }),
    line({ id: 'late', atMs: 9_000 }),
  ]
  const { before, after } = placeActivity(messages, lines)
  expect([...before].map(([id, group]) => [id, group.map((each) => each.id)])).toEqual([
    ['m1', ['early']],
    ['m2', ['between']],
  ])
  expect(after.map(({ id }) => id)).toEqual(['late'])
})

it('17.302 a line about a long title takes at most two lines of the chat and has its whole text as its title', async () => {
  const title = 'Long '.repeat(40)
  const { getByRole } = await renderInRoom(<ActivityItem line={line({ title })} />)
  const item = getByRole('listitem')
  expect(item.className).toContain('line-clamp-2')
  expect(item.title).toBe(`ben added “${title}”`)
})

it('17.36 the stage shows the latest line of others for some seconds, and announces at most one in ten', async () => {
  const { change, container } = await renderInRoom(<LatestActivity />)
  vi.useFakeTimers()
  try {
    const show = (...lines: Activity[]) => act(() => change({ activity: { lines, joinedAtMs: null } }))
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    show(line({ title: 'One' }))
    await pass(1)
    expect(within(container).getByRole('status').textContent).toBe('ben added “One”')
    const shown = () => container.querySelector('[aria-hidden]')
    expect(shown()?.className).not.toContain('opacity-0')
    show(line({ title: 'One' }), line({ id: 'a2', title: 'Two' }))
    await pass(3_000)
    expect(shown()?.textContent).toBe('ben added “Two”')
    expect(within(container).getByRole('status').textContent).toBe('ben added “One”')
    await pass(7_000)
    expect(shown()?.className).toContain('opacity-0')
    show(line({ title: 'One' }), line({ id: 'a3', title: 'Mine', user: { id: 'u1', username: 'ann' } }))
    await pass(1)
    expect(shown()?.textContent).toBe('ben added “One”')
  } finally {
    vi.useRealTimers()
  }
})
