import type { Source, Track } from '@earshot/core/protocol/entities'
import { trackAudioPath, trackStreamPath } from '@earshot/core/protocol/track-paths'
import type { UnplayableReason } from '@earshot/core/protocol/providers'
import type { PlayerKind } from '@earshot/core/protocol/sync-report'
import type { Player, PlayerEvent } from './player.ts'
import { warmProviderFrame } from './provider-frame.ts'
import type { VideoSurface } from './youtube/video-surface.ts'

/** What the choice of a player depends on. */
export type TrackToPlay = Pick<Track, 'id' | 'source'>

/** Holds the one player that may be audible: the best one of this browser for the room's current track. */
export interface PlayerSlot {
  /**
   * Returns the player for a track; null while its code loads, and for an unplayable track. Disposes of a player of
   * another kind.
   */
  require(track: TrackToPlay): Player | null
  /** Returns the current player of any kind. */
  current(): Player | null
  /** Records why the current kind of player cannot play a track, so that the next kind is used for it. */
  reject(trackId: string, reason: UnplayableReason): void
  /** Returns why no kind of player can play the track here; null if one can, as far as is known. */
  unplayableReason(track: TrackToPlay): UnplayableReason | null
  /** Preloads the start of the next track if it is due soon, and at any time the code of another player that it needs. */
  prepare(track: Track, isSoon: boolean): void
  /** Sets the volume, 0..1 on the listener's slider. */
  setVolume(volume: number): void
  /** Disposes of the players; `require` creates another one. */
  release(): void
}

/** The players of this browser. */
export interface PlayerFactory {
  /** Lists the kinds of player for a source, best first. */
  kindsFor(source: Source): readonly PlayerKind[]
  /** Loads what a player needs before it can be created. Called repeatedly. */
  preload?(kind: PlayerKind): void
  /** Whether a player of this kind connects ahead of its track, which takes long and makes no sound. */
  connectsAhead?(kind: PlayerKind): boolean
  /** Loads the code of a player and creates it. */
  create(kind: PlayerKind): Promise<Player>
}

/** Bounds the memory of a stay in a room of many tracks. */
const rejectionsKept = 500

interface PlayerSlotParts {
  factory: PlayerFactory
  /** Returns why this listener cannot play a track with any player, for example without an account; null if unknown. */
  reasonAgainst: (track: TrackToPlay) => UnplayableReason | null
  initialVolume: number
  /** Called when there is a new player. */
  onChange: () => void
  onEvent: (event: PlayerEvent) => void
}

export function createPlayerSlot(parts: PlayerSlotParts): PlayerSlot {
  const { factory, reasonAgainst } = parts
  let player: Player | null = null
  let wanted: PlayerKind | null = null
  let volume = parts.initialVolume
  const rejections = createRejections()
  const standby = createStandby(factory)

  const kindFor = (track: TrackToPlay): PlayerKind | null => {
    if (reasonAgainst(track) !== null) return null
    return factory.kindsFor(track.source).find((kind) => !rejections.has(track.id, kind)) ?? null
  }

  const release = () => {
    player?.dispose()
    player = null
  }

  const fill = async (kind: PlayerKind) => {
    const created = await (standby.take(kind) ?? factory.create(kind))
    if (wanted !== kind || player) return created.dispose()
    player = created
    player.setVolume(toGain(volume))
    player.subscribe(parts.onEvent)
    parts.onChange()
  }

  const want = (kind: PlayerKind | null) => {
    wanted = kind
    release()
    if (kind === null) return
    fill(kind).catch(() => {
      // The player's code could not be loaded: retried at the next turn.
      if (wanted === kind) wanted = null
    })
  }

  return {
    require(track) {
      const kind = kindFor(track)
      if (wanted !== kind) want(kind)
      return player
    },
    current: () => player,
    reject(trackId, reason) {
      if (wanted !== null) rejections.add(trackId, wanted, reason)
    },
    unplayableReason: (track) =>
      kindFor(track) === null ? (reasonAgainst(track) ?? rejections.reason(track.id) ?? 'format') : null,
    prepare(track, isSoon) {
      const kind = kindFor(track)
      standby.keep(kind === wanted ? null : kind)
      if (kind !== null && kind !== wanted) factory.preload?.(kind)
      else if (isSoon) player?.prepare(track)
    },
    setVolume(next) {
      volume = next
      player?.setVolume(toGain(volume))
    },
    release() {
      wanted = null
      standby.keep(null)
      release()
    },
  }
}

/** Holds the connected player of the next track while another one plays. */
function createStandby(factory: PlayerFactory) {
  let held: { kind: PlayerKind; player: Promise<Player> } | null = null
  const open = async (kind: PlayerKind) => {
    const player = await factory.create(kind)
    void player.connect?.()
    return player
  }
  const drop = () => {
    // A player that could not be created is created again when it is needed.
    held?.player.then((player) => player.dispose()).catch(() => undefined)
    held = null
  }
  return {
    /** Holds a player of this kind, or none. */
    keep(kind: PlayerKind | null) {
      if (held?.kind === kind) return
      drop()
      if (kind === null || !factory.connectsAhead?.(kind)) return
      const player = open(kind)
      held = { kind, player }
      player.catch(() => {
        if (held?.player === player) held = null
      })
    },
    /** Hands over the player of this kind; null without one. Drops one of another kind. */
    take(kind: PlayerKind): Promise<Player> | null {
      if (held?.kind !== kind) {
        drop()
        return null
      }
      const { player } = held
      held = null
      return player
    },
  }
}

/** Remembers which kinds of player cannot play a track, and the reason of the last one. */
function createRejections() {
  const tracks = new Map<string, { kinds: readonly PlayerKind[]; reason: UnplayableReason }>()
  return {
    has: (trackId: string, kind: PlayerKind) => tracks.get(trackId)?.kinds.includes(kind) ?? false,
    reason: (trackId: string) => tracks.get(trackId)?.reason ?? null,
    add(trackId: string, kind: PlayerKind, reason: UnplayableReason) {
      tracks.set(trackId, { kinds: [...(tracks.get(trackId)?.kinds ?? []), kind], reason })
      const oldest = tracks.keys().next()
      if (tracks.size > rejectionsKept && !oldest.done) tracks.delete(oldest.value)
    },
  }
}

/** The square makes loudness follow the slider evenly. */
const toGain = (volume: number): number => volume ** 2

/** Creates the factory. The video player appears on `surface`. */
export const createBrowserPlayers = (surface: VideoSurface): PlayerFactory => ({
  kindsFor(source) {
    if (source === 'spotify') return ['streaming']
    if (source === 'youtube') return ['video']
    return canDecodeAndSchedule() ? ['library', 'element'] : ['element']
  },
  preload(kind) {
    // On failure it is loaded again when needed.
    if (kind === 'library') import('./library/library-player.ts').catch(() => undefined)
    if (kind !== 'video') return
    import('./youtube/video-player.ts').catch(() => undefined)
    warmProviderFrame('/players/youtube')
  },
  connectsAhead: (kind) => kind === 'streaming',
  async create(kind) {
    if (kind === 'library') {
      const { LibraryPlayer } = await import('./library/library-player.ts')
      return new LibraryPlayer((track) => trackStreamPath(track.id))
    }
    if (kind === 'streaming') {
      const { StreamingPlayer } = await import('./spotify/streaming-player.ts')
      return new StreamingPlayer()
    }
    if (kind === 'video') {
      const { VideoPlayer } = await import('./youtube/video-player.ts')
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
const elementPathOf = /Chrom(e|ium)\//.test(navigator.userAgent) ? trackStreamPath : trackAudioPath

/** Loads the code of the preferred player ahead of its first use. */
export function preloadPlayer(): void {
  // On failure it is loaded again when needed.
  if (canDecodeAndSchedule()) import('./library/library-player.ts').catch(() => undefined)
}

/** Whether WebCodecs exist: only in a secure context, so not on plain http in a home network. */
export function canDecodeAndSchedule(): boolean {
  return window.isSecureContext && 'AudioDecoder' in window && 'getOutputTimestamp' in AudioContext.prototype
}
