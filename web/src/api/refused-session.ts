import { createStore } from 'zustand/vanilla'

/** How this page's session ended. A new object each time. */
export const refusedSession = createStore<{
  /** Not by this page, as on another device. */
  isRefused: boolean
  /** By this page, or about to. */
  isOver?: boolean
}>(() => ({ isRefused: false }))

/** Changes with each call that was refused for want of a session: it may have ended elsewhere. */
export const refusedCalls = createStore<object>(() => ({}))
