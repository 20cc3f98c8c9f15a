import type { RoomStore } from './room-state.ts'

/**
 * The server sends a change of a room as several events: the room, its queue, its playback. Drawing after each of them would
 * hold up the player, which hears of the last one last.
 */

let isReceiving = false
const waiting = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Makes a change that the server sent. It is drawn in a task of its own, together with those that came with it. */
export function receive(change: () => void): void {
  isReceiving = true
  try {
    change()
  } finally {
    isReceiving = false
  }
}

/** Subscribes what draws a store's state. Returns a function that unsubscribes. */
export function subscribeDrawing(store: RoomStore, draw: () => void): () => void {
  // Browsers run the timers of hidden pages late, and their titles count what is unread.
  const stop = store.subscribe(() => (isReceiving && !document.hidden ? drawLater(draw) : draw()))
  return () => {
    stop()
    waiting.delete(draw)
  }
}

function drawLater(draw: () => void): void {
  waiting.add(draw)
  timer ??= setTimeout(drawAll)
}

function drawAll(): void {
  timer = undefined
  const due = [...waiting]
  waiting.clear()
  for (const draw of due) draw()
}
