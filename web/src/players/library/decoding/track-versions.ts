import { delay } from '../../../timing.ts'
import { type AudioBlock, cutBlocks } from './audio-blocks.ts'
import { RefusedError } from './range-request.ts'
import type { TrackDecoder } from './track-decoder.ts'

/** A track's file as it was when it was opened. */
export interface Version {
  readonly decoder: Promise<TrackDecoder>
  /** Aborts where it is not needed: it may still be opening. */
  readonly closing: AbortController
  /** The file as it is since it changed. */
  next: Version | null
  /** Whether this version sounds as the one before it; null while that is not known. */
  soundsAlike: boolean | null
  isCompared: boolean
}

/** Opens a file; calls `onChanged` when the server has another one in its place. Given up when the signal aborts. */
export type TrackOpener = (onChanged: () => void, signal: AbortSignal) => Promise<TrackDecoder>

/** The replacement of a file may still be being written, or not be scanned yet. */
const patienceMs = 10_000
const retryMs = 500
/** Of the energy of a block; the same sound, decoded twice, differs by less. */
const alikeWithin = 0.01

/**
 * The versions of a track's file. When it is tagged anew or replaced, the next one is opened at once, while what is left of
 * the one before plays.
 */
export class TrackVersions {
  readonly #open: TrackOpener
  readonly #sampleRate: number
  readonly #onReplaced: () => void
  #current: Version
  #isDisposed = false

  /** `onReplaced` is called when a later version has become the current one. */
  constructor(open: TrackOpener, sampleRate: number, onReplaced: () => void) {
    this.#open = open
    this.#sampleRate = sampleRate
    this.#onReplaced = onReplaced
    this.#current = this.#openVersion()
  }

  current(): Version {
    return this.#current
  }

  /**
   * Compares a block that is about to play with the same frames of the next version, in the background. Returns whether the
   * next one is known to sound otherwise, so that everybody should be in it soon.
   */
  hasOtherSound({ next }: Version, block: AudioBlock): boolean {
    if (next && !next.isCompared) void this.#compare(next, block)
    return next?.soundsAlike === false
  }

  /**
   * Resolves to the version that goes on where one has ended by a failure, or by other sound in the next one (null). Rejects
   * with the failure where a later version would not help.
   */
  async after(version: Version, failure: unknown, hasProgressed: boolean): Promise<Version> {
    if (version !== this.#current) return this.#current
    const hasChanged = failure instanceof RefusedError && failure.reason === 'changed'
    // A decoder that the browser took away, for example, works again once it is opened anew.
    const mayRecover = hasProgressed && !(failure instanceof RefusedError)
    if (failure !== null && !hasChanged && !mayRecover) throw failure
    if (this.#isDisposed) throw failure ?? new Error('The track was left')
    const next = await this.#whenOpen(version)
    if (version !== this.#current) return this.#current
    this.#current = next
    dispose(version)
    this.#onReplaced()
    return next
  }

  dispose(): void {
    this.#isDisposed = true
    for (let version: Version | null = this.#current; version; version = version.next) dispose(version)
  }

  #openVersion(): Version {
    const closing = new AbortController()
    const decoder = this.#open(() => {
      version.next ??= this.#openVersion()
    }, closing.signal)
    decoder.catch(() => undefined) // Reported to its awaiters
    const version: Version = { decoder, closing, next: null, soundsAlike: null, isCompared: false }
    return version
  }

  /** Resolves to the latest version, once it is open. Opens it again for some time where that fails. */
  async #whenOpen(before: Version): Promise<Version> {
    const startedMs = performance.now()
    for (;;) {
      const next = (before.next ??= this.#openVersion())
      try {
        await next.decoder
        return next
      } catch (error) {
        if (this.#isDisposed || performance.now() - startedMs > patienceMs) throw error
        await delay(retryMs)
        if (this.#isDisposed) throw error
        dispose(next)
        if (before.next === next) before.next = null
      }
    }
  }

  /** Silence tells nothing: another block is compared then. */
  async #compare(next: Version, block: AudioBlock): Promise<void> {
    if (isSilent(block)) return
    next.isCompared = true
    try {
      const decoder = await next.decoder
      const positionMs = (block.startFrame / this.#sampleRate) * 1_000
      const sounds = decoder.decodeFrom(positionMs, { isPlaying: false })
      // A file that ends before sounds otherwise.
      let areSame = false
      for await (const other of cutBlocks(sounds, block.startFrame, this.#sampleRate)) {
        areSame = areAlike(block, other)
        break
      }
      next.soundsAlike = areSame
    } catch {
      // A version that cannot be read yet is opened again when it is needed.
    }
  }
}

const dispose = ({ decoder, closing }: Version): void => {
  closing.abort()
  decoder.then((opened) => opened.dispose()).catch(() => undefined)
}

const isSilent = ({ samples }: AudioBlock): boolean =>
  samples.every((channel) => channel.every((sample) => sample === 0))

function areAlike(one: AudioBlock, other: AudioBlock): boolean {
  if (one.samples.length !== other.samples.length) return false
  const frames = Math.min(one.frames, other.frames)
  let [energy, difference] = [0, 0]
  for (const [index, channel] of one.samples.entries()) {
    for (let frame = 0; frame < frames; frame += 1) {
      const sample = channel[frame] ?? 0
      energy += sample ** 2
      difference += (sample - (other.samples[index]?.[frame] ?? 0)) ** 2
    }
  }
  return difference <= alikeWithin * energy
}
