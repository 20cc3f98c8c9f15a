import { act, screen } from '@testing-library/react'
import type { Message } from '@earshot/core/protocol/entities'
import { expect, it, onTestFinished, vi } from 'vitest'
import { currentVisit } from '../../engine/current-visit.ts'
import { makeEntry } from '../../testing/samples.ts'
import { renderInRoom } from '../../testing/render-in-room.tsx'
import { ChatAnnouncer, type RailTab, useUnread } from './rail.tsx'
import { RoomHeader } from './room-header.tsx'

const debug = {
  isOpen: false,
  panelId: 'debug',
  diagnoses: 0,
  toggle: () => undefined,
  diagnose: () => undefined,
}

const closed = { isOpen: false, onOpenChange: () => undefined }

function Unread({ tab }: { tab: RailTab }) {
  const { unreadMessages, hasQueueChanged } = useUnread(tab)
  return (
    <>
      <RoomHeader debug={debug} onHelp={() => undefined} invite={closed} memberList={closed} />
      <output>{`${unreadMessages} ${hasQueueChanged}`}</output>
    </>
  )
}

const message = (id: number, userId: string): Message => ({
  id: String(id),
  room_id: 'r1',
  user_id: userId,
  username: userId,
  avatar_url: null,
  content: 'hello',
  created_at: id,
})

it("17.2b counts others' messages while the chat is not shown, in the title too", async () => {
  const { change } = await renderInRoom(<Unread tab="queue" />)
  const shown = () => screen.getByText(/^\d+ (true|false)$/).textContent
  act(() => change({ lastReadId: '0', messages: [message(1, 'bob'), message(2, 'u1'), message(3, 'bob')] }))
  expect(shown()).toBe('2 false')
  expect(document.title).toMatch(/^\(2\) /)
  // A message that is deleted later is not unread either.
  act(() => change({ messages: [message(1, 'bob'), message(2, 'u1')] }))
  expect(shown()).toBe('1 false')
})

it('17.2b a shown chat has nothing unread, and a shown queue no change', async () => {
  const { change } = await renderInRoom(<Unread tab="chat" />)
  act(() => change({ messages: [message(1, 'bob')] }))
  expect(screen.getByText('0 false')).toBeDefined()
})

it("17.354 reads out others' messages while the chat is not shown, at most every 10 s", async () => {
  const { change } = await renderInRoom(<ChatAnnouncer isChatShown={false} />)
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  const readOut = () => screen.getByRole('status').textContent
  const messages = [message(1, 'bob')]
  const arrive = async (sender: string) => {
    messages.push(message(messages.length + 1, sender))
    act(() => change({ messages: [...messages] }))
    await pass(1)
  }
  act(() => change({ lastReadId: '1', messages }))
  await pass(1)
  expect(readOut()).toBe('')
  await arrive('bob')
  expect(readOut()).toBe('bob: hello')
  await arrive('u1')
  await arrive('eve')
  expect(readOut()).toBe('bob: hello')
  await pass(10_000)
  expect(readOut()).toBe('2 unread. eve: hello')
})

it('17.354 reads out a message that says the same as the one before', async () => {
  const { change } = await renderInRoom(<ChatAnnouncer isChatShown={false} />)
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const messages = [message(1, 'bob'), message(2, 'bob')]
  const readOut: unknown[] = []
  for (const [lastReadId, count] of [
    ['0', 1],
    ['1', 1],
    ['1', 2],
  ] as const) {
    act(() => change({ lastReadId, messages: messages.slice(0, count) }))
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    readOut.push(screen.getByRole('status').textContent)
  }
  expect(readOut).toEqual(['bob: hello', '', 'bob: hello'])
})

it('17.354 a shown chat is read out by its log alone', async () => {
  const { change } = await renderInRoom(<ChatAnnouncer isChatShown />)
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  act(() => change({ lastReadId: '0', messages: [message(1, 'bob')] }))
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(screen.getByRole('status').textContent).toBe('')
})

it('17.494 the rest of a long queue is no change of it', async () => {
  const entry = (position: number) =>
    makeEntry({ id: `t${position}`, title: `Song ${position}`, entry_id: `e${position}`, position })
  const queue = [entry(0), entry(1), entry(2)]
  const { change } = await renderInRoom(<Unread tab="chat" />, { queue: queue.slice(0, 2) })
  const { confirmed } = currentVisit.getState()!.store.getState()
  const shown = () => screen.getByText(/^\d+ (true|false)$/).textContent
  act(() => change({ confirmed: { ...confirmed, queueTotal: 3 } }))
  act(() => change({ confirmed: { ...confirmed, queue } }))
  expect(shown()).toBe('0 false')
  act(() => change({ confirmed: { ...confirmed, queue: queue.slice(1) } }))
  expect(shown()).toBe('0 true')
})
