import { type RoomState, type RoomStore, watch } from '../state/room-state.ts'
import { wallNow } from '../../wall-clock.ts'
import { createTabLock, type TabLock } from './tab-lock.ts'

/**
 * A message by which a tab asks for, claims or gives up the sound. Its shape is that of earlier pages: tabs of two versions
 * share the channel.
 */
interface TabMessage {
  /** When the sending tab began to sound, on its wall clock; null where it asks who sounds. */
  soundsSinceMs: number | null
  /**
   * The sending tab sounds no longer: it is closed or left its room, its browser blocks its sound, or its listener paused it
   * and wants silence.
   */
  givesUp?: 'left' | 'blocked' | 'paused'
  /** Held by the sending tab for as long as it lives; absent where it has none. */
  lock?: string | undefined
}

/**
 * Lets only one tab of a user sound, whatever rooms they are in: the one that joined last, or in which the user pressed
 * "Play here" last. A tab that is opened in the background leaves the sound where it is. Where the sounding tab is closed,
 * crashes or leaves its room, another one sounds; where its browser blocks it, the one that sounded before. Returns a
 * function that stops it.
 */
export function keepOneTabSounding(userId: string, store: RoomStore): () => void {
  let tab: SoundingTab | null = null
  const setJoined = (isJoined: boolean) => {
    if (isJoined) tab ??= new SoundingTab(userId, store)
    else {
      tab?.leave()
      tab = null
    }
  }
  // One that is not admitted to its room silences no other.
  const follow = ({ phase }: Pick<RoomState, 'phase'>) => setJoined(phase === 'joined')
  const unsubscribe = watch(store, ['phase'], follow)
  follow(store.getState())
  return () => {
    unsubscribe()
    setJoined(false)
  }
}

type OwnSound = Pick<RoomState, 'ownSound' | 'isSoundBlocked'>

/** One of the user's tabs, which agree by messages on the one that sounds. */
class SoundingTab {
  readonly #store: RoomStore
  readonly #channel: BroadcastChannel
  readonly #lock: TabLock
  readonly #unsubscribe: () => void
  #soundsSinceMs = -Infinity
  /** The latest that any tab began to sound. The clock of a tab that was open while the machine slept is behind. */
  #latestMs = -Infinity
  /** Whether the browser let this tab sound when another one took over. */
  #couldSound = false
  /** Set while `#succeed` changes the store: the claim that follows takes the place of the tab that is gone. */
  #isSuccessor = false

  constructor(userId: string, store: RoomStore) {
    this.#store = store
    this.#channel = new BroadcastChannel(`earshot:sound:${userId}`)
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#receive(data)
    this.#lock = createTabLock(() => {
      if (this.#isOn()) this.#announce()
    })
    this.#unsubscribe = watch(store, ['ownSound', 'isSoundBlocked'], (state, before) =>
      this.#onChange(state, before),
    )
    // Any tab that sounds came before one in the background.
    if (this.#isOn() && !document.hidden) this.#claim()
    else this.#ask()
    this.#lock.hold()
    window.addEventListener('pagehide', this.#onPageHide)
    window.addEventListener('pageshow', this.#onPageShow)
  }

  leave(): void {
    this.#unsubscribe()
    window.removeEventListener('pagehide', this.#onPageHide)
    window.removeEventListener('pageshow', this.#onPageShow)
    this.#onPageHide()
    this.#channel.close()
  }

  readonly #onPageHide = (): void => {
    if (this.#isOn()) this.#giveUp('left')
    this.#lock.stopWatching()
    this.#lock.release()
  }

  /** A page that the browser kept while another one was shown sounds again. */
  readonly #onPageShow = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) return
    if (this.#isOn()) this.#claim()
    else this.#ask()
    this.#lock.hold()
  }

  #onChange(state: OwnSound, before: OwnSound): void {
    const wasOn = before.ownSound === 'on'
    if (state.ownSound === 'paused' && wasOn) this.#giveUp('paused')
    if (state.ownSound !== 'on') return
    if (!wasOn || (before.isSoundBlocked && !state.isSoundBlocked)) this.#claim()
    if (state.isSoundBlocked && !before.isSoundBlocked) this.#giveUp('blocked')
  }

  #receive({ soundsSinceMs, givesUp, lock }: TabMessage): void {
    const { ownSound } = this.#store.getState()
    if (soundsSinceMs === null) {
      if (ownSound === 'on') this.#answer()
      return
    }
    this.#latestMs = Math.max(this.#latestMs, soundsSinceMs)
    if (ownSound === 'on' && givesUp === undefined && soundsSinceMs > this.#soundsSinceMs) this.#giveWay(lock)
    // A tab that gave way itself changes nothing.
    if (ownSound !== 'in_other_tab' || soundsSinceMs < this.#latestMs) return
    if (givesUp === undefined) return this.#watch(lock)
    this.#lock.stopWatching()
    if (givesUp === 'left' || (givesUp === 'blocked' && this.#couldSound)) this.#succeed()
  }

  #giveWay(lock: string | undefined): void {
    this.#couldSound = !this.#store.getState().isSoundBlocked
    this.#store.setState({ ownSound: 'in_other_tab' })
    this.#watch(lock)
  }

  #watch(lock: string | undefined): void {
    if (lock !== undefined) this.#lock.watch(lock, () => this.#succeed())
  }

  /** Sounds in place of a tab that is gone. */
  #succeed(): void {
    if (this.#store.getState().ownSound !== 'in_other_tab') return
    this.#isSuccessor = true
    this.#store.setState({ ownSound: 'on' })
    this.#isSuccessor = false
  }

  #claim(): void {
    this.#lock.stopWatching()
    // Later than the tab that is gone, and earlier than any claim of its own accord. Of two successors, chance decides.
    this.#soundsSinceMs = this.#isSuccessor
      ? Math.max(0, this.#latestMs) + Math.random()
      : Math.max(wallNow(), this.#latestMs + 1)
    this.#latestMs = this.#soundsSinceMs
    this.#announce()
  }

  #ask(): void {
    this.#send({ soundsSinceMs: null })
  }

  /** Answers a tab that was opened in the background; this one may have been, too. */
  #answer(): void {
    if (!this.#store.getState().isSoundBlocked) this.#soundsSinceMs = Math.max(this.#soundsSinceMs, 0)
    this.#announce()
  }

  #announce(): void {
    this.#send({ soundsSinceMs: this.#soundsSinceMs, lock: this.#lock.name() })
  }

  #giveUp(givesUp: TabMessage['givesUp']): void {
    this.#send({ soundsSinceMs: this.#soundsSinceMs, givesUp })
  }

  #send(message: TabMessage): void {
    this.#channel.postMessage(message)
  }

  #isOn(): boolean {
    return this.#store.getState().ownSound === 'on'
  }
}
