import type { PlayerStatus } from '@earshot/core/sync/follow/player-state'
import { isChromium } from '../chromium.ts'

/**
 * Chromium shows its media controls, and obeys media keys, for an element only, not for an audio context. WebKit does for
 * both, and gets no element.
 */
export function keepMediaSession(status: PlayerStatus): void {
  // Without its code the music sounds as well.
  if (isChromium)
    import('./silent-element.ts').then(
      (silence) => silence.playSilence(status),
      () => undefined,
    )
}
