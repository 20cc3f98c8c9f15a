import {
  createContext,
  createElement,
  type ReactNode,
  use,
  useCallback,
  useLayoutEffect,
  useSyncExternalStore,
} from 'react'
import { useStore } from 'zustand'
import { useSession } from '../../api/session.tsx'
import type { RoomActions } from '../../engine/room-actions.ts'
import { RoomVisit } from '../../engine/room-visit.ts'
import { openRoom, currentVisit } from '../../engine/current-visit.ts'
import { subscribeDrawing } from '../../engine/state/draw-together.ts'
import { viewRoom, type RoomView } from '../../engine/state/room-state.ts'

const RoomContext = createContext<RoomVisit | null>(null)

/** Opens a room as the signed-in user. It stays open when this is unmounted. */
export function RoomProvider({ roomId, children }: { roomId: string; children: ReactNode }) {
  const userId = useSession().user?.id ?? ''
  // Before the first paint, so that a recovery copy shows at once.
  useLayoutEffect(() => openRoom(RoomVisit, roomId, userId), [roomId, userId])
  const visit = useStore(currentVisit)
  if (visit?.roomId !== roomId || visit.userId !== userId) return null
  return createElement(RoomContext, { value: visit }, children)
}

/** Gives the parts of a visit's room their room, also outside of the room's page. */
export function VisitProvider({ visit, children }: { visit: RoomVisit; children: ReactNode }) {
  return createElement(RoomContext, { value: visit }, children)
}

/** Subscribes to a part of the room's state. The result of `select` is compared by identity. */
export function useRoomState<Part>(select: (state: RoomView) => Part): Part {
  const { store } = useRoomVisit()
  const subscribe = useCallback((draw: () => void) => subscribeDrawing(store, draw), [store])
  return useSyncExternalStore(subscribe, () => select(viewRoom(store.getState())))
}

/** Returns the room's commands; always the same object. */
export function useRoomActions(): RoomActions {
  return useRoomVisit().actions
}

/** Returns the visit around the component, for parts that need more than its state and commands. */
export function useRoomVisit(): RoomVisit {
  const visit = use(RoomContext)
  if (!visit) throw new Error('useRoomVisit must be used within RoomProvider')
  return visit
}
