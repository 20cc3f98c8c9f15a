import type { Source } from '@earshot/core/protocol/entities'
import type { CreatePlayer } from '../../players/choose-player.ts'
import type { Player, PlayerEvent } from '../../players/player.ts'

/** The one player that may sound: of the source that the room plays now. */
export interface PlayerSlot {
  /** The player for a source; null while its code loads, and where there is none. Another source's is released. */
  take(source: Source): Player | null
  /** The player at hand, of whatever source. */
  current(): Player | null
  /** The player could not play the track: another kind may. */
  takeSecondChoice(): void
  /** 0..1 as the listener sets it. */
  setVolume(volume: number): void
  dispose(): void
}

export function createPlayerSlot(parts: {
  createPlayer: CreatePlayer
  initialVolume: number
  /** Called when another player is at hand. */
  onChange: () => void
  onEvent: (event: PlayerEvent) => void
}): PlayerSlot {
  let player: Player | null = null
  let wanted: { source: Source; isSecondChoice: boolean } | null = null
  let volume = parts.initialVolume

  const release = () => {
    player?.dispose()
    player = null
  }

  const fill = async (choice: { source: Source; isSecondChoice: boolean }) => {
    wanted = choice
    release()
    const created = await parts.createPlayer(choice.source, choice.isSecondChoice)
    if (wanted !== choice) return created?.dispose()
    player = created
    player?.setVolume(toGain(volume))
    player?.subscribe(parts.onEvent)
    parts.onChange()
  }

  const refill = (choice: { source: Source; isSecondChoice: boolean }) => {
    fill(choice).catch(() => {
      // The player's code did not arrive: asked for again at the next turn.
      if (wanted === choice) wanted = null
    })
  }

  return {
    take(source) {
      if (wanted?.source !== source) refill({ source, isSecondChoice: false })
      return player
    },
    current: () => player,
    takeSecondChoice() {
      if (wanted && !wanted.isSecondChoice) refill({ ...wanted, isSecondChoice: true })
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

/** Loudness grows with about the square of the slider, so that its lower half is of use. */
const toGain = (volume: number): number => volume ** 2
