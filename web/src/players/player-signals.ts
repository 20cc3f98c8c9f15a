import type { PlayerStatus } from '@earshot/core/sync/follow/player-state'
import type { PlayerEvent } from './player.ts'

/** What a player tells of itself: whoever subscribed hears of each change once. */
export class PlayerSignals {
  readonly #listeners = new Set<(event: PlayerEvent) => void>()
  #status: PlayerStatus = 'idle'
  #isBlocked = false

  get status(): PlayerStatus {
    return this.#status
  }

  /** Whether the browser does not let it sound. */
  get isBlocked(): boolean {
    return this.#isBlocked
  }

  /** Calls back on every event until the returned function is called. */
  subscribe(listener: (event: PlayerEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  setStatus(status: PlayerStatus): void {
    if (status === this.#status) return
    this.#status = status
    this.emit({ type: 'status', status })
  }

  /** Says it again of one that is blocked already: somebody has asked for sound again. */
  block(): void {
    this.#isBlocked = true
    this.emit({ type: 'blocked' })
  }

  unblock(): void {
    if (!this.#isBlocked) return
    this.#isBlocked = false
    this.emit({ type: 'unblocked' })
  }

  emit(event: PlayerEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  /** Nobody hears anything any more. */
  close(): void {
    this.#listeners.clear()
  }
}
