import { act, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { expect, it } from 'vitest'
import { closedRoom } from '../../engine/closed-room.ts'
import { currentVisit } from '../../engine/current-visit.ts'
import { renderInRoom } from '../../testing/render-in-room.tsx'
import { roomClosed } from '../../texts/room.ts'
import { Notices } from '../../ui/notices/notices.tsx'
import { ClosedRoomNotice } from './closed-room-notice.tsx'

it('17.28b the page of a room that is deleted goes home and says so, once', async () => {
  await renderInRoom(null)
  await waitFor(() => expect(currentVisit.getState()).not.toBeNull())
  render(
    <MemoryRouter initialEntries={['/room/r1']}>
      <ClosedRoomNotice />
      <Notices />
      <Routes>
        <Route path="/" element={<p>home</p>} />
        <Route path="/room/r1" element={<p>room</p>} />
      </Routes>
    </MemoryRouter>,
  )
  const close = () => act(() => closedRoom.setState({ roomId: 'r1', name: 'Kitchen Radio' }, true))
  close()
  expect(await screen.findByText('home')).toBeDefined()
  expect(await screen.findByText(roomClosed.title('Kitchen Radio'))).toBeDefined()
  expect(currentVisit.getState()).toBeNull()
  close()
  expect(screen.getAllByText(roomClosed.text)).toHaveLength(1)
})
