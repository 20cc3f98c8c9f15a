import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { currentVisit } from '../../../engine/current-visit.ts'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import { makeEntry } from '../../../testing/samples.ts'
import { QueueCard } from './queue-card.tsx'

const longQueue = Array.from({ length: 1_000 }, (_, position) =>
  makeEntry({ id: `t${position}`, title: `Song ${position}`, entry_id: `e${position}`, position }),
)

it('17.494 says how many tracks a long queue has of which only the first are known', async () => {
  const { change } = await renderInRoom(<QueueCard />, { queue: longQueue.slice(0, 50) })
  const confirmed = currentVisit.getState()!.store.getState().confirmed
  act(() => change({ confirmed: { ...confirmed, queueTotal: 1_000 } }))
  expect(await screen.findByText(/^1000 tracks · over /)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Shuffle' })).toBeNull()
  act(() => change({ confirmed: { ...confirmed, queue: longQueue } }))
  expect(screen.getByText(/^1000 tracks · \d/)).toBeDefined()
})

it('17.49 of 1000 entries only those in sight are drawn, each with its place', async () => {
  await renderInRoom(<QueueCard />, { queue: longQueue })
  await screen.findByText('Song 0')
  const items = screen.getAllByRole('listitem')
  expect(items.length).toBeLessThan(30)
  expect(items[2]?.getAttribute('aria-posinset')).toBe('3')
  expect(items[2]?.getAttribute('aria-setsize')).toBe('1000')
  expect(screen.getByText('1000 tracks · 55 h 33 min')).toBeDefined()
})
