import { wallNow } from '../../realtime/server-clock.ts'
import { update, type RoomState, type RoomStore } from '../state/room-state.ts'

/** When the sending tab began to sound, on the wall clock that all tabs share; null where it asks who does. */
interface TabMessage {
  soundsSinceMs: number | null
  /** The sending tab, which sounded, is closed or left the room. */
  hasLeft?: true
}

/**
 * Lets only one tab of a user sound in a room: the one opened last, or in which the user pressed "Play here" last. A
 * tab that is opened in the background leaves the sound where it is. Where the sounding tab is closed or leaves the room,
 * another one sounds. Returns a function that stops it.
 */
export function keepOneTabSounding(roomId: string, userId: string, store: RoomStore): () => void {
  const channel = new BroadcastChannel(`earshot:sound:${userId}:${roomId}`)
  let soundsSinceMs = wallNow()

  const setSound = (ownSound: RoomState['ownSound']) => update(store, (state) => ({ ...state, ownSound }))
  const send = (message: TabMessage) => channel.postMessage(message)
  const claim = () => {
    soundsSinceMs = wallNow()
    send({ soundsSinceMs })
  }
  const leave = () => {
    if (store.getState().ownSound === 'on') send({ soundsSinceMs: -Infinity, hasLeft: true })
  }
  // A page that the browser kept while another one was shown sounds again.
  const comeBack = ({ persisted }: PageTransitionEvent) => {
    if (persisted && store.getState().ownSound === 'on') claim()
  }
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    const { ownSound } = store.getState()
    if (data.hasLeft && ownSound === 'in_other_tab') setSound('on')
    if (ownSound !== 'on') return
    if (data.soundsSinceMs === null) send({ soundsSinceMs })
    else if (data.soundsSinceMs > soundsSinceMs) setSound('in_other_tab')
  }
  const unsubscribe = store.subscribe((state, before) => {
    if (state.ownSound === 'on' && before.ownSound !== 'on') claim()
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
