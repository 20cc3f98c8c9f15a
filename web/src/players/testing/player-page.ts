import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import { ElementPlayer } from '../library/element-player.ts'
import { LibraryPlayer } from '../library/library-player.ts'
import type { Player, PlayerEvent } from '../player.ts'
import { StreamingPlayer } from '../spotify/streaming-player.ts'
import { delay } from '../../timing.ts'
import { wallNow } from '../../wall-clock.ts'

/** The entry of the page on which the player contract is tested (`e2e/players/player-contract.spec.ts`). */
const pathOf = (track: Track) => `/${track.id}`
const kinds = {
  library: () => new LibraryPlayer(pathOf),
  element: () => new ElementPlayer(pathOf),
  streaming: () => new StreamingPlayer(),
}

const tracks = {
  noise: { id: 'noise.wav', duration: 8_000 },
  unknown: { id: 'noise.wav', duration: limits.unknownDurationMs, duration_unknown: true },
  changing: { id: 'changing.wav', duration: 100_000 },
  missing: { id: 'missing.wav', duration: 8_000 },
  text: { id: 'text.wav', duration: 8_000 },
  damaged: { id: 'damaged.opus', duration: 2_000 },
}

const texts = { title: 'Noise', artist: 'Noise Lab', album: '', albumArt: null, album_art: null }

interface PlayerPage {
  player: Player
  events: PlayerEvent[]
  track: (name: keyof typeof tracks) => Track
  /** A track of Spotify by its id there. */
  spotifyTrack: (id: string, duration: number) => Track
  wallNow: () => number
  /** Resolves after some ms. */
  wait: (ms: number) => Promise<void>
  /** Resolves with whether an event came within 30 s. */
  waitFor: (isMeant: (event: PlayerEvent) => boolean) => Promise<boolean>
}

declare global {
  /** Opens a player on the page. */
  var openPlayer: (kind: keyof typeof kinds) => PlayerPage
}

globalThis.openPlayer = (kind) => {
  const player: Player = kinds[kind]()
  const events: PlayerEvent[] = []
  player.subscribe((event) => events.push(event))
  return {
    player,
    events,
    track: (name) => ({ ...tracks[name], ...texts, source: 'library' }),
    spotifyTrack: (id, duration) => ({ id: `spotify:${id}`, duration, ...texts, source: 'spotify' }),
    wallNow,
    wait: delay,
    waitFor: async (isMeant) => {
      for (let turn = 0; turn < 1_500 && !events.some(isMeant); turn++) await delay(20)
      return events.some(isMeant)
    },
  }
}
