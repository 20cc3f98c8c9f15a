import { createContext, createElement, use, useLayoutEffect, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { useSession } from '../../api/session.tsx'
import type { RoomActions } from '../../engine/commands.ts'
import type { ServerConnection } from '../../engine/debug-access.ts'
import { RoomRuntime } from '../../engine/room-runtime.ts'
import { viewRoom, type RoomView } from '../../engine/state/optimistic.ts'

const RoomContext = createContext<RoomRuntime | null>(null)

/** Opens a room for as long as it is on the page. Needs a signed-in user. */
export function RoomProvider({ roomId, children }: { roomId: string; children: ReactNode }) {
  const userId = useSession().user?.id ?? ''
  const [runtime, setRuntime] = useState<RoomRuntime | null>(null)
  // Before the first paint, so that a recovery copy shows at once.
  useLayoutEffect(() => {
    const opened = new RoomRuntime(roomId, userId)
    // oxlint-disable-next-line react/set-state-in-effect -- the runtime lives exactly as long as this effect
    setRuntime(opened)
    return () => opened.leave()
  }, [roomId, userId])
  return runtime && createElement(RoomContext, { value: runtime }, children)
}

/** Follows a part of the room's state. The result of `select` is compared by identity. */
export function useRoomState<Part>(select: (state: RoomView) => Part): Part {
  return useStore(useRoomRuntime().store, (state) => select(viewRoom(state)))
}

/** Everything the page can do in the room; always the same object. */
export function useRoomActions(): RoomActions {
  return useRoomRuntime().actions
}

/** The room's connection, for the debug tools. */
export function useConnection(): ServerConnection {
  return useRoomRuntime().connection
}

/** The running room itself, for the diagnosis. */
export function useRoomRuntime(): RoomRuntime {
  const runtime = use(RoomContext)
  if (!runtime) throw new Error('The room can only be used within RoomProvider')
  return runtime
}
