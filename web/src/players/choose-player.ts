import type { Source, Track } from '@earshot/core/protocol/entities'
import { trackAudioPath } from '@earshot/core/protocol/http-api'
import type { Player } from './player.ts'

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
