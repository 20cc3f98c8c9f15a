import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useStore } from 'zustand'
import { closedRoom } from '../../engine/closed-room.ts'
import { leaveRoom, currentVisit } from '../../engine/current-visit.ts'
import { roomClosed } from '../../texts/room.ts'
import { notify } from '../../ui/notices/notify.ts'

/** Leaves a room that was deleted and says so, on whichever page, and leads home from its own (17.28b). */
export function ClosedRoomNotice() {
  const closed = useStore(closedRoom)
  const { pathname } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (!closed) return
    closedRoom.setState(null, true)
    if (currentVisit.getState()?.roomId !== closed.roomId) return
    leaveRoom()
    notify({ kind: 'warning', title: roomClosed.title(closed.name), text: roomClosed.text })
    if (pathname === `/room/${closed.roomId}`) void navigate('/', { replace: true })
  }, [closed, pathname, navigate])
  return null
}
