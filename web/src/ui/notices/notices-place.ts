import { createStore } from 'zustand/vanilla'

/** Whether notices lie over the top bar, because elsewhere they would cover a video or the controls of a room. */
export const noticesPlace = createStore(() => ({ isTopBar: false }))
