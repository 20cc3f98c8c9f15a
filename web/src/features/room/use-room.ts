import { createContext, createElement, use, useLayoutEffect, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { useSession } from '../../api/session.tsx'
import type { RoomActions } from '../../engine/commands.ts'
import { RoomRuntime } from '../../engine/room-runtime.ts'
import { viewRoom, type RoomView } from '../../engine/state/room-state.ts'

const RoomContext = createContext<RoomRuntime | null>(null)

/** Joins a room while mounted. Needs a signed-in user. */
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

/** Subscribes to a part of the room's state. The result of `select` is compared by identity. */
export function useRoomState<Part>(select: (state: RoomView) => Part): Part {
  return useStore(useRoomRuntime().store, (state) => select(viewRoom(state)))
}

/** Returns the room's commands; always the same object. */
export function useRoomActions(): RoomActions {
  return useRoomRuntime().actions
}

/** Returns the runtime of the room around the component, for parts that need more than its state and commands. */
export function useRoomRuntime(): RoomRuntime {
  const runtime = use(RoomContext)
  if (!runtime) throw new Error('useRoomRuntime must be used within RoomProvider')
  return runtime
}
