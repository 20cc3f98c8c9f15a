import { createStore } from 'zustand/vanilla'

/** The room that was deleted while the page was in it, until a notice has said so. */
export const closedRoom = createStore<{ roomId: string; name: string | null } | null>(() => null)
