import type { RoomState, RoomStore } from '../state/room-state.ts'
import { wallNow } from '../../wall-clock.ts'

interface TabMessage {
  /** When the sending tab began to sound, on its wall clock; null where it asks who does. */
  soundsSinceMs: number | null
  /** The sending tab, which was to sound, is closed or left the room, or its browser blocks its sound. */
  givesUp?: 'left' | 'blocked'
}

/**
 * Lets only one tab of a user sound in a room: the one opened last, or in which the user pressed "Play here" last. A
 * tab that is opened in the background leaves the sound where it is. Where the sounding tab is closed or leaves the room,
 * another one sounds; where its browser blocks it, the one that sounded before. Returns a function that stops it.
 */
export function keepOneTabSounding(roomId: string, userId: string, store: RoomStore): () => void {
  const channel = new BroadcastChannel(`earshot:sound:${userId}:${roomId}`)
  let soundsSinceMs = wallNow()
  /** The latest that any tab began to sound. The clock of a tab that was open while the machine slept is behind. */
  let latestMs = soundsSinceMs
  /** Whether the browser let this tab sound when another one took over. */
  let couldSound = false

  const setSound = (ownSound: RoomState['ownSound']) => store.setState({ ownSound })
  const send = (message: TabMessage) => channel.postMessage(message)
  const claim = () => {
    soundsSinceMs = latestMs = Math.max(wallNow(), latestMs + 1)
    send({ soundsSinceMs })
  }
  const giveUp = (givesUp: TabMessage['givesUp']) => send({ soundsSinceMs: -Infinity, givesUp })
  const leave = () => {
    if (store.getState().ownSound === 'on') giveUp('left')
  }
  // A page that the browser kept while another one was shown sounds again.
  const comeBack = ({ persisted }: PageTransitionEvent) => {
    if (persisted && store.getState().ownSound === 'on') claim()
  }
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    const { ownSound, isSoundBlocked } = store.getState()
    latestMs = Math.max(latestMs, data.soundsSinceMs ?? latestMs)
    if (ownSound === 'in_other_tab' && (data.givesUp === 'left' || (data.givesUp && couldSound)))
      setSound('on')
    if (ownSound !== 'on') return
    if (data.soundsSinceMs === null) {
      // One that was opened in the background, too.
      if (!isSoundBlocked) soundsSinceMs = Math.max(soundsSinceMs, 0)
      send({ soundsSinceMs })
    } else if (data.soundsSinceMs > soundsSinceMs) {
      couldSound = !isSoundBlocked
      setSound('in_other_tab')
    }
  }
  const unsubscribe = store.subscribe((state, before) => {
    if (state.ownSound !== 'on') return
    if (before.ownSound !== 'on' || (before.isSoundBlocked && !state.isSoundBlocked)) claim()
    if (state.isSoundBlocked && !before.isSoundBlocked) giveUp('blocked')
  })
  if (document.hidden) {
    // Any tab that sounds came before.
    soundsSinceMs = -Infinity
    send({ soundsSinceMs: null })
  } else claim()
  window.addEventListener('pagehide', leave)
  window.addEventListener('pageshow', comeBack)
  return () => {
    unsubscribe()
    window.removeEventListener('pagehide', leave)
    window.removeEventListener('pageshow', comeBack)
    leave()
    channel.close()
  }
}
