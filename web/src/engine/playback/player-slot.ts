import type { Source } from '@earshot/core/protocol/entities'
import type { CreatePlayer } from '../../players/choose-player.ts'
import type { Player, PlayerEvent } from '../../players/player.ts'

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
