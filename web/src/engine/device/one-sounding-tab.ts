import { wallNow } from '../../realtime/server-clock.ts'
import { update, type RoomStore } from '../state/room-state.ts'

/** When the sending tab began to sound, on the wall clock that all tabs share; null where it asks who does. */
interface TabMessage {
  soundsSinceMs: number | null
}

/**
 * Lets only one tab of a user sound in a room: the one opened last, or in which the user pressed "Play here" last. A
 * tab that is opened in the background leaves the sound where it is. Returns a function that stops it.
 */
export function keepOneTabSounding(roomId: string, userId: string, store: RoomStore): () => void {
  const channel = new BroadcastChannel(`earshot:sound:${userId}:${roomId}`)
  let soundsSinceMs = wallNow()

  const send = (sinceMs: number | null) => {
    const message: TabMessage = { soundsSinceMs: sinceMs }
    channel.postMessage(message)
  }
  const claim = () => {
    soundsSinceMs = wallNow()
    send(soundsSinceMs)
  }
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (store.getState().ownSound !== 'on') return
    if (data.soundsSinceMs === null) send(soundsSinceMs)
    else if (data.soundsSinceMs > soundsSinceMs) {
      update(store, (state) => ({ ...state, ownSound: 'in_other_tab' }))
    }
  }
  const unsubscribe = store.subscribe((state, before) => {
    if (state.ownSound === 'on' && before.ownSound !== 'on') claim()
  })
  if (document.hidden) {
    // Any tab that sounds came before.
    soundsSinceMs = -Infinity
    send(null)
  } else claim()
  return () => {
    unsubscribe()
    channel.close()
  }
}
