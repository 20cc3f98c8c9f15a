import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { currentVisit } from '../../../engine/current-visit.ts'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import { makeEntry } from '../../../testing/samples.ts'
import { QueueCard } from './queue-card.tsx'

const entries = Array.from({ length: 4 }, (_, position) =>
  makeEntry({ id: `t${position}`, title: `Song ${position}`, entry_id: `e${position}`, position }),
)
const menuOf = (title: string) => screen.getByRole('button', { name: `More for ${title}` })
const focusAfter = (title: string) =>
  waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe(title))

it('17.105 the focus goes on to the next entry when the one goes away that has it, or whose menu is open', async () => {
  const { change } = await renderInRoom(<QueueCard />, { queue: entries })
  const play = (queue: typeof entries) =>
    act(() => {
      const confirmed = currentVisit.getState()!.store.getState().confirmed
      change({ confirmed: { ...confirmed, queue, queueVersion: (confirmed.queueVersion ?? 0) + 1 } })
    })
  await screen.findByText('Song 0')
  act(() => menuOf('Song 1').focus())
  fireEvent.click(menuOf('Song 1'))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Remove' }))
  await focusAfter('More for Song 2')
  fireEvent.click(menuOf('Song 2'))
  await waitFor(() => expect(screen.getByRole('menu').contains(document.activeElement)).toBe(true))
  const place = (entry: (typeof entries)[number], position: number) => ({ ...entry, position })
  play([entries[0]!, entries[3]!].map(place))
  await focusAfter('More for Song 3')
  play([entries[0]!].map(place))
  await focusAfter('More for Song 0')
  play([])
  await focusAfter('Show what was played')
})

it('17.105 an entry that goes away takes no focus from elsewhere', async () => {
  const { change } = await renderInRoom(<QueueCard />, { queue: entries.slice(0, 2) })
  await screen.findByText('Song 0')
  act(() => menuOf('Song 0').focus())
  const elsewhere = screen.getByRole('button', { name: 'Show what was played' })
  act(() => elsewhere.focus())
  act(() => {
    const confirmed = currentVisit.getState()!.store.getState().confirmed
    change({ confirmed: { ...confirmed, queue: [{ ...entries[1]!, position: 0 }], queueVersion: 2 } })
  })
  expect(screen.queryByText('Song 0')).toBeNull()
  expect(document.activeElement).toBe(elsewhere)
})

it('17.105 an entry that was scrolled out of sight with the focus takes none from elsewhere when it goes away', async () => {
  const many = Array.from({ length: 80 }, (_, position) =>
    makeEntry({ id: `t${position}`, title: `Song ${position}`, entry_id: `e${position}`, position }),
  )
  const { change } = await renderInRoom(<QueueCard />, { queue: many })
  await screen.findByText('Song 0')
  act(() => menuOf('Song 0').focus())
  const scroller = screen.getByRole('list').parentElement!
  scroller.scrollTop = 3_000
  fireEvent.scroll(scroller)
  await waitFor(() => expect(screen.queryByText('Song 0')).toBeNull())
  const elsewhere = screen.getByRole('button', { name: 'Show what was played' })
  act(() => elsewhere.focus())
  act(() => {
    const confirmed = currentVisit.getState()!.store.getState().confirmed
    const queue = many.slice(1).map((entry, position) => ({ ...entry, position }))
    change({ confirmed: { ...confirmed, queue, queueVersion: 2 } })
  })
  expect(document.activeElement).toBe(elsewhere)
})
