import { trackAudioPath } from '@earshot/core/protocol/media-paths'
import { heardTrack, watch, type RoomState, type RoomStore } from './state/room-state.ts'

/** Before the page calls the wait a slow one (17.311). */
const askEveryMs = 12_000
const answerWithinMs = 2_000

/**
 * Notes whether the server answers with an error where the sound of a library track has been awaited for some seconds: the
 * player asks on and on, which alone looks like a slow line. Returns a function that stops it.
 */
export function watchRefusedSound(store: RoomStore): () => void {
  let awaited: string | null = null
  let timer: ReturnType<typeof setInterval> | undefined

  const ask = async (trackId: string) => {
    const isSoundRefused = await isRefused(trackId)
    if (trackId === awaited) store.setState({ isSoundRefused })
  }
  const follow = (state: AwaitedSound) => {
    const next = awaitedTrack(state)
    if (next === awaited) return
    awaited = next
    clearInterval(timer)
    if (store.getState().isSoundRefused) store.setState({ isSoundRefused: false })
    if (next !== null) timer = setInterval(() => void ask(next), askEveryMs)
  }
  follow(store.getState())
  const unsubscribe = watch(store, ['sync', 'substitutes', 'confirmed'], follow)
  return () => {
    unsubscribe()
    clearInterval(timer)
    awaited = null
  }
}

type AwaitedSound = Pick<RoomState, 'sync' | 'substitutes' | 'confirmed'>

function awaitedTrack({ sync, substitutes, confirmed }: AwaitedSound): string | null {
  const track = sync.cause === 'buffering' ? heardTrack(substitutes, confirmed.track) : null
  return track?.source === 'library' ? track.id : null
}

async function isRefused(trackId: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerWithinMs)
    const { status } = await fetch(trackAudioPath(trackId), { method: 'HEAD', cache: 'no-store', signal })
    return status >= 500
  } catch {
    return false // Without an answer the line is slow, or down.
  }
}
