import type { Source, Track } from '@earshot/core/protocol/entities'
import { trackAudioPath } from '@earshot/core/protocol/http-api'
import type { Player } from './player.ts'

/**
 * Makes the best player that this browser has for a source; null where there is none. Its code loads when needed.
 * `isSecondChoice`: the best one could not play the track.
 */
export type CreatePlayer = (source: Source, isSecondChoice: boolean) => Promise<Player | null>

export const createPlayer: CreatePlayer = async (source, isSecondChoice) => {
  if (source !== 'library') return null
  if (canDecodeAndSchedule() && !isSecondChoice) {
    const { LibraryPlayer } = await import('./library-player.ts')
    return new LibraryPlayer(audioUrlOf)
  }
  const { ElementPlayer } = await import('./element-player.ts')
  return new ElementPlayer(audioUrlOf)
}

/** Fetches the code of the usual player ahead of its first use. */
export function preloadPlayer(): void {
  // Where that fails it is fetched again when it is needed.
  if (canDecodeAndSchedule()) import('./library-player.ts').catch(() => undefined)
}

/** WebCodecs exist only in a secure context: not on plain http in a home network. */
export function canDecodeAndSchedule(): boolean {
  return window.isSecureContext && 'AudioDecoder' in window && 'getOutputTimestamp' in AudioContext.prototype
}

const audioUrlOf = (track: Track): string => trackAudioPath(track.id)
