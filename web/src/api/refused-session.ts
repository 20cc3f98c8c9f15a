import { createStore } from 'zustand/vanilla'

/** Whether the server refused this page's session since it last had one, as when it was ended on another device. A new object each time. */
export const refusedSession = createStore<{ isRefused: boolean }>(() => ({ isRefused: false }))
