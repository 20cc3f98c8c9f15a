import type { Source, Track } from '@earshot/core/protocol/entities'
import { trackAudioPath } from '@earshot/core/protocol/http-api'
import type { Player, PlayerEvent } from './player.ts'

/** Holds the one player that may be audible: the one for the room's current source. */
export interface PlayerSlot {
  /** Returns the source's player, null while its code loads or without one. Disposes of another source's player. */
  require(source: Source): Player | null
  /** Returns the current player of any source. */
  current(): Player | null
  /** Replaces a player that cannot play the track by the fallback kind. */
  useFallback(): void
  /** Sets the volume, 0..1 on the listener's slider. */
  setVolume(volume: number): void
  dispose(): void
}

export function createPlayerSlot(parts: {
  createPlayer: CreatePlayer
  initialVolume: number
  /** Called when there is a new player. */
  onChange: () => void
  onEvent: (event: PlayerEvent) => void
}): PlayerSlot {
  let player: Player | null = null
  let wanted: { source: Source; isFallback: boolean } | null = null
  let volume = parts.initialVolume

  const release = () => {
    player?.dispose()
    player = null
  }

  const fill = async (choice: { source: Source; isFallback: boolean }) => {
    wanted = choice
    release()
    const created = await parts.createPlayer(choice.source, choice.isFallback)
    if (wanted !== choice) return created?.dispose()
    player = created
    player?.setVolume(toGain(volume))
    player?.subscribe(parts.onEvent)
    parts.onChange()
  }

  const refill = (choice: { source: Source; isFallback: boolean }) => {
    fill(choice).catch(() => {
      // The player's code could not be loaded: retried at the next turn.
      if (wanted === choice) wanted = null
    })
  }

  return {
    require(source) {
      if (wanted?.source !== source) refill({ source, isFallback: false })
      return player
    },
    current: () => player,
    useFallback() {
      if (wanted && !wanted.isFallback) refill({ ...wanted, isFallback: true })
    },
    setVolume(next) {
      volume = next
      player?.setVolume(toGain(volume))
    },
    dispose() {
      wanted = null
      release()
    },
  }
}

/** The square makes loudness follow the slider evenly. */
const toGain = (volume: number): number => volume ** 2

/**
 * Creates the best player of this browser for a source, or null. Its code is loaded on demand. `isFallback`: the best
 * one could not play the track.
 */
export type CreatePlayer = (source: Source, isFallback: boolean) => Promise<Player | null>

export const createPlayer: CreatePlayer = async (source, isFallback) => {
  if (source !== 'library') return null
  if (canDecodeAndSchedule() && !isFallback) {
    const { LibraryPlayer } = await import('./library-player.ts')
    return new LibraryPlayer(audioUrlOf)
  }
  const { ElementPlayer } = await import('./element-player.ts')
  return new ElementPlayer(audioUrlOf)
}

/** Loads the code of the preferred player ahead of its first use. */
export function preloadPlayer(): void {
  // On failure it is loaded again when needed.
  if (canDecodeAndSchedule()) import('./library-player.ts').catch(() => undefined)
}

/** Whether WebCodecs exist: only in a secure context, so not on plain http in a home network. */
export function canDecodeAndSchedule(): boolean {
  return window.isSecureContext && 'AudioDecoder' in window && 'getOutputTimestamp' in AudioContext.prototype
}

const audioUrlOf = (track: Track): string => trackAudioPath(track.id)
