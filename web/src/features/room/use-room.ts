import { createContext, createElement, use, useLayoutEffect, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { useSession } from '../../api/session.tsx'
import type { RoomActions } from '../../engine/room-actions.ts'
import { RoomRuntime } from '../../engine/room-runtime.ts'
import { openRoom, roomVisit } from '../../engine/room-visit.ts'
import { viewRoom, type RoomView } from '../../engine/state/room-state.ts'

const RoomContext = createContext<RoomRuntime | null>(null)

/** Opens a room as the signed-in user. It stays open when this is unmounted. */
export function RoomProvider({ roomId, children }: { roomId: string; children: ReactNode }) {
  const userId = useSession().user?.id ?? ''
  // Before the first paint, so that a recovery copy shows at once.
  useLayoutEffect(() => openRoom(RoomRuntime, roomId, userId), [roomId, userId])
  const runtime = useStore(roomVisit)
  if (runtime?.roomId !== roomId || runtime.userId !== userId) return null
  return createElement(RoomContext, { value: runtime }, children)
}

/** Gives the parts of a visit's room their room, also outside of the room's page. */
export function VisitProvider({ visit, children }: { visit: RoomRuntime; children: ReactNode }) {
  return createElement(RoomContext, { value: visit }, children)
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
