import { act, screen } from '@testing-library/react'
import type { Message } from '@earshot/core/protocol/entities'
import { expect, it } from 'vitest'
import { renderInRoom } from '../../testing/render-in-room.tsx'
import { type RailTab, useUnread } from './rail.tsx'
import { RoomHeader } from './room-header.tsx'

const debug = { isOpen: false, panelId: 'debug', toggle: () => undefined, show: () => undefined }

const closed = { isOpen: false, onOpenChange: () => undefined }

function Unread({ tab }: { tab: RailTab }) {
  const { unreadMessages, hasQueueChanged } = useUnread(tab)
  return (
    <>
      <RoomHeader
        debug={debug}
        unreadMessages={unreadMessages}
        onHelp={() => undefined}
        invite={closed}
        memberList={closed}
      />
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
