import { trackAudioPath, trackStreamPath } from '@earshot/core/protocol/media-paths'
import { isChromium } from './chromium.ts'
import { readServedTag } from './library/served-file.ts'
import { canDecodeAndSchedule } from './library/web-codecs.ts'
import type { PlayerFactory } from './player-slot.ts'
import type { VideoSurface } from './youtube/video-surface.ts'

const loadLibraryPlayer = () => import('./library/library-player.ts')
const loadVideoPlayer = () => import('./youtube/video-player.ts')

/** Creates the players that this browser has. The video player appears on `surface`. */
export const createBrowserPlayers = (surface: VideoSurface): PlayerFactory => ({
  kindsFor(source) {
    if (source === 'spotify') return ['streaming']
    if (source === 'youtube') return ['video']
    return canDecodeAndSchedule() ? ['library', 'element'] : ['element']
  },
  async preload(kind) {
    if (kind === 'library') await loadLibraryPlayer()
    if (kind !== 'video') return
    const [{ warmProviderFrame }] = await Promise.all([import('./provider-frame.ts'), loadVideoPlayer()])
    await warmProviderFrame('/players/youtube')
  },
  readFileTag: async (trackId, kind) =>
    kind === 'library' || kind === 'element' ? readServedTag(trackAudioPath(trackId)) : null,
  connectsAhead: (kind) => kind === 'streaming',
  async create(kind) {
    if (kind === 'library') {
      const { LibraryPlayer } = await loadLibraryPlayer()
      return new LibraryPlayer((track) => trackStreamPath(track.id))
    }
    if (kind === 'streaming') {
      const { StreamingPlayer } = await import('./spotify/streaming-player.ts')
      return new StreamingPlayer()
    }
    if (kind === 'video') {
      const { VideoPlayer } = await loadVideoPlayer()
      return new VideoPlayer(surface)
    }
    const { ElementPlayer } = await import('./library/element-player.ts')
    return new ElementPlayer((track) => elementPathOf(track.id))
  },
})

/**
 * Chromium's element finds positions in a stream by its table, to the sample. Firefox's would download the stream up to
 * them, and does not play Vorbis in it: elsewhere elements get the original file.
 */
const elementPathOf = isChromium ? trackStreamPath : trackAudioPath

/** Loads the code of the preferred player ahead of its first use. */
export function preloadPlayer(): void {
  // On failure it is loaded again when needed.
  if (canDecodeAndSchedule()) loadLibraryPlayer().catch(() => undefined)
}
