import { act } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { renderInRoom } from '../../testing/render-in-room.tsx'
import { room } from '../../texts/room.ts'
import { deliverNotices } from '../../ui/notify.ts'
import { RoomScreen } from './room-page.tsx'

it('17.300 a notice about a join that failed goes once the room is joined', async () => {
  const shown = new Map<string, string>()
  const { change } = await renderInRoom(<RoomScreen />)
  onTestFinished(
    deliverNotices({ show: ({ id, title }) => shown.set(id, title), close: (id) => shown.delete(id) }),
  )
  const titles = () => [...shown.values()]
  act(() => change({ joinError: 'rate_limited' }))
  expect(titles()).toEqual([room.joinFailedTitle])
  act(() => change({ joinError: null }))
  expect(titles()).toEqual([])
})
