import { createContext, createElement, use, useEffect, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { useSession } from '../../api/session.tsx'
import type { ServerConnection } from '../../realtime/server-connection.ts'
import { createRoomSession, type RoomSession } from '../../engine/room-session.ts'
import type { RoomActions, RoomSessionState } from '../../engine/state/room-state.ts'

const RoomContext = createContext<RoomSession | null>(null)

/** A stay in a room, for as long as it is on the page. Needs a signed-in user. */
export function RoomProvider({ roomId, children }: { roomId: string; children: ReactNode }) {
  const userId = useSession().user?.id ?? ''
  const [session] = useState(() => createRoomSession(roomId, userId))
  useEffect(() => {
    session.start()
    return () => session.stop()
  }, [session])
  return createElement(RoomContext, { value: session }, children)
}

/** Follows a part of the room's state. What `select` returns is compared by identity. */
export function useRoomState<Part>(select: (state: RoomSessionState) => Part): Part {
  return useStore(useRoomSession().store, select)
}

/** What can be done in the room; always the same object. */
export function useRoomActions(): RoomActions {
  return useRoomSession().actions
}

/** The connection itself, for the debug tools; null until there is one. */
export function useConnection(): ServerConnection | null {
  const session = useRoomSession()
  // A connection that is made changes its status at once.
  useRoomState((state) => state.connection)
  return session.connection()
}

/** How to reach what runs in the room, for the diagnosis; it is read when it is needed and causes no drawing. */
export function useLiveRoom(): RoomSession['live'] {
  return useRoomSession().live
}

function useRoomSession(): RoomSession {
  const session = use(RoomContext)
  if (!session) throw new Error('The room can only be used within RoomProvider')
  return session
}
