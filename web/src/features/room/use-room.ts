import { createContext, createElement, use, useEffect, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { useSession } from '../../api/session.tsx'
import { createRoomSession, type RoomSession } from '../../engine/room-session.ts'
import type { RoomActions, RoomSessionState } from '../../engine/state/room-state.ts'

const RoomContext = createContext<RoomSession | null>(null)

/** Joins a room while mounted. Needs a signed-in user. */
export function RoomProvider({ roomId, children }: { roomId: string; children: ReactNode }) {
  const userId = useSession().user?.id ?? ''
  const [session] = useState(() => createRoomSession(roomId, userId))
  useEffect(() => {
    session.start()
    return () => session.stop()
  }, [session])
  return createElement(RoomContext, { value: session }, children)
}

/** Subscribes to a part of the room's state; the result of `select` is compared by identity. */
export function useRoomState<Part>(select: (state: RoomSessionState) => Part): Part {
  return useStore(useRoomSession().store, select)
}

/** Returns the room's commands; always the same object. */
export function useRoomActions(): RoomActions {
  return useRoomSession().actions
}

/** Returns the session of the room around the component, for parts that need more than its state and commands. */
export function useRoomSession(): RoomSession {
  const session = use(RoomContext)
  if (!session) throw new Error('useRoomSession must be used within RoomProvider')
  return session
}
