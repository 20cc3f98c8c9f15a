import type { MediaSessionRoom } from './media-session.ts'

/** Shows the room in the system's media controls as soon as their code is there. Returns a function that stops it. */
export function showMediaControls(room: MediaSessionRoom): () => void {
  let isStopped = false
  let stop: () => void = () => undefined
  import('./media-session.ts').then(
    ({ startMediaSession }) => {
      if (!isStopped) stop = startMediaSession(room)
    },
    () => undefined, // The music plays without it as well
  )
  return () => {
    isStopped = true
    stop()
  }
}
