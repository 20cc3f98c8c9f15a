import type { Track } from '@earshot/core/protocol/entities'

/** What the system's media controls show and do; where there are none, nothing happens. */
export interface MediaControls {
  show(track: Track | null, isPlaying: boolean): void
  close(): void
}

export interface MediaHandlers {
  play: () => void
  pause: () => void
  nexttrack: () => void
  previoustrack: () => void
}

/** Only the owner's keys act (5.7a): for anybody else `handlers` is null. */
export function createMediaControls(getHandlers: () => MediaHandlers | null): MediaControls {
  const session = 'mediaSession' in navigator ? navigator.mediaSession : null
  if (!session) return { show: () => undefined, close: () => undefined }
  let shownFor: MediaHandlers | null = null

  const setHandlers = (handlers: MediaHandlers | null) => {
    if (handlers === shownFor) return
    shownFor = handlers
    for (const action of ['play', 'pause', 'nexttrack', 'previoustrack'] as const) {
      session.setActionHandler(action, handlers?.[action] ?? null)
    }
  }

  return {
    show(track, isPlaying) {
      session.metadata = track && toMetadata(track)
      session.playbackState = track ? (isPlaying ? 'playing' : 'paused') : 'none'
      setHandlers(track && getHandlers())
    },
    close() {
      session.metadata = null
      session.playbackState = 'none'
      setHandlers(null)
    },
  }
}

function toMetadata({ title, artist, album, albumArt }: Track): MediaMetadata {
  const artwork = albumArt ? [{ src: new URL(albumArt, document.baseURI).href }] : []
  return new MediaMetadata({ title, artist, album, artwork })
}
