import { delay } from '../../../timing.ts'
import {
  pauseForProbes,
  restAfter,
  blockBytes,
  learnLine,
  type Line,
  type Reading,
  sizeRequest,
} from './read-pace.ts'
import {
  firstTimeoutMs,
  LeftError,
  limitTime,
  RefusedError,
  requestRange,
  retryRequest,
} from './range-request.ts'

/** Reads a file of the server in ranges. Network failures are retried with back-off for as long as it is open. */
export interface RangeFile {
  /** Resolves to the file's size in bytes. Rejects if the server refuses the file. */
  size(): Promise<number>
  /** Resolves to the bytes from `start` up to, not including, `end`. Rejects if the file has changed. */
  read(start: number, end: number): Promise<Uint8Array>
  /** Keeps the next bytes in memory, counted from the end of the latest read; 0 stops. */
  readAhead(bytes: number, reading: Reading & { bytesPerSecond: number }): void
  /** Reading goes on elsewhere: what is under way for the place before is given up, unless it is needed there. */
  leavePlace(): void
  close(): void
}

/** All kept blocks, of which the oldest are dropped. */
const maxKeptBytes = 32 * 1024 * 1024
/** A file that was there is asked for as long as the server may look for it under another name. */
const renamedWithinMs = 20_000

interface OpenOptions {
  headBytes?: number
  tailBytes?: number
  /** Called once when the server has another file at this address. Fetched bytes can still be read. */
  onChanged?: () => void
}

/**
 * Opens a file with the session's cookie. Nothing is fetched before the first read. With it, the first `headBytes` and
 * the last `tailBytes` are fetched, for formats with tables there.
 */
export function openRangeFile(url: string, options: OpenOptions = {}): RangeFile {
  return new BlockFile(url, { headBytes: 1, tailBytes: 0, onChanged: () => undefined, ...options })
}

class BlockFile implements RangeFile {
  readonly #url: string
  readonly #headBytes: number
  readonly #tailBytes: number
  readonly #onChanged: () => void
  readonly #closing = new AbortController()
  readonly #blocks = new Map<number, Uint8Array>()
  readonly #underway = new Map<number, Promise<void>>()
  #about: { size: number; tag: string | null } | null = null
  #hasChanged = false
  #position = 0
  #aheadBytes = 0
  #reading: Reading = { bytesPerSecond: null, isPlaying: false }
  #line: Line = { quickBytes: 0, waitMs: Infinity }
  #isReadingAhead = false
  /** From a call to leave until the requests under way were given up, or sound of the new place was there. */
  #isLeaving = false
  #place = new AbortController()
  #requestsUnderway = 0
  /** Where and when the sound began to play. */
  #playing: { from: number; sinceMs: number } | null = null
  /** The line is left free, once. */
  #pause: Promise<void> | null = null
  #tail: Promise<{ start: number; bytes: Uint8Array } | null> | null = null

  constructor(url: string, { headBytes, tailBytes, onChanged }: Required<OpenOptions>) {
    this.#url = url
    this.#headBytes = headBytes
    this.#tailBytes = tailBytes
    this.#onChanged = onChanged
  }

  async size(): Promise<number> {
    if (this.#tailBytes > 0) this.#tail ??= this.#fetchTail()
    if (!this.#about) await this.#require(0, blockAt(this.#headBytes - 1))
    if (!this.#about) throw new Error(`${this.#url} has no size`)
    return this.#about.size
  }

  async read(start: number, end: number): Promise<Uint8Array> {
    this.#closing.signal.throwIfAborted()
    const size = await this.size()
    const tail = start >= size - this.#tailBytes ? await this.#tail : null
    if (tail && start >= tail.start) return tail.bytes.slice(start - tail.start, end - tail.start)
    if (this.#isLeaving) this.#goTo(start)
    const place = this.#place
    const bytes = new Uint8Array(end - start)
    const least = Math.min(size, start + this.#requestBytes())
    const last = blockAt(Math.max(end, least) - 1)
    for (let index = blockAt(start); index <= blockAt(end - 1); index += 1) {
      const block = this.#blocks.get(index) ?? (await this.#require(index, last))
      const from = index * blockBytes
      const part = block.subarray(Math.max(0, start - from), Math.max(0, end - from))
      bytes.set(part, Math.max(0, from - start))
    }
    if (place === this.#place) this.#position = end
    this.#wake()
    return bytes
  }

  readAhead(bytes: number, reading: Reading): void {
    this.#aheadBytes = bytes
    this.#reading = reading
    this.#isLeaving = false
    if (reading.isPlaying) this.#playing ??= { from: this.#position, sinceMs: performance.now() }
    this.#wake()
  }

  leavePlace(): void {
    this.#isLeaving = true
    this.#reading = { ...this.#reading, isPlaying: false }
  }

  close(): void {
    const reason = new Error('Closed')
    this.#closing.abort(reason)
    this.#place.abort(reason)
    this.#blocks.clear()
  }

  /** Gives up the requests under way, unless they bring the bytes at a position. */
  #goTo(position: number): void {
    this.#position = position
    const index = blockAt(position)
    if (this.#blocks.has(index) || this.#underway.has(index)) return
    this.#place.abort(new LeftError())
    this.#place = new AbortController()
    this.#underway.clear()
    this.#isLeaving = false
  }

  async #require(index: number, last: number): Promise<Uint8Array> {
    for (let count = last - index + 1; ;) {
      const block = this.#blocks.get(index)
      if (block) return block
      await this.#pause
      try {
        await (this.#underway.get(index) ?? this.#load(index, count))
      } catch (error) {
        if (!(error instanceof LeftError)) throw error
        // A decoder that still waits for it asks for no more than it needs.
        count = 1
      }
    }
  }

  /**
   * At the same time as the start of the file: past the cache, whose ranges of one file browsers fetch one after the other.
   * Without it, the end is read like the rest.
   */
  async #fetchTail(): Promise<{ start: number; bytes: Uint8Array } | null> {
    try {
      return await limitTime(this.#closing.signal, firstTimeoutMs, (signal) =>
        this.#fetchOnce(`bytes=-${this.#tailBytes}`, { signal, cache: 'no-store' }),
      )
    } catch {
      return null
    }
  }

  #requestBytes(): number {
    return sizeRequest(this.#reading, this.#line)
  }

  /** Loads up to `count` blocks from `first` on: those that neither are there nor underway. */
  #load(first: number, count: number): Promise<void> {
    let end = first + 1
    while (end < first + count && !this.#blocks.has(end) && !this.#underway.has(end)) end += 1
    const loading = this.#fetchBlocks(first, end).finally(() => {
      for (let index = first; index < end; index += 1) {
        if (this.#underway.get(index) === loading) this.#underway.delete(index)
      }
    })
    for (let index = first; index < end; index += 1) this.#underway.set(index, loading)
    return loading
  }

  async #fetchBlocks(first: number, end: number): Promise<void> {
    const startedMs = performance.now()
    const { bytes } = await this.#fetchRange(first * blockBytes, end * blockBytes)
    this.#leaveFree(first * blockBytes, bytes.length, startedMs)
    for (let index = first; index < end; index += 1) {
      const at = (index - first) * blockBytes
      if (at < bytes.length) this.#blocks.set(index, bytes.subarray(at, at + blockBytes))
    }
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size * blockBytes > maxKeptBytes) this.#blocks.delete(oldest)
    }
  }

  #leaveFree(start: number, bytes: number, startedMs: number): void {
    const { bytesPerSecond } = this.#reading
    if (this.#pause || !this.#playing || bytesPerSecond === null) return
    const { from, sinceMs } = this.#playing
    const nowMs = performance.now()
    const pauseMs = pauseForProbes({
      aheadS: (start + bytes - from) / bytesPerSecond - (nowMs - sinceMs) / 1_000,
      soundMs: (1_000 * bytes) / bytesPerSecond,
      tookMs: nowMs - startedMs,
    })
    if (pauseMs === 0) return
    this.#pause = delay(pauseMs, this.#closing.signal)
    this.#pause.catch(() => undefined) // Its readers are rejected themselves when the file is closed
  }

  #fetchRange(start: number, end: number): Promise<{ bytes: Uint8Array }> {
    const startedMs = performance.now()
    const { signal } = this.#place
    const isFinal = (error: unknown): boolean => {
      const isRenamed = this.#about !== null && performance.now() - startedMs < renamedWithinMs
      return error instanceof RefusedError && !(error.reason === 404 && isRenamed)
    }
    return retryRequest({ signal, isFinal }, (limited) =>
      this.#fetchOnce(`bytes=${start}-${end - 1}`, { signal: limited }),
    )
  }

  async #fetchOnce(range: string, init: RequestInit): Promise<{ start: number; bytes: Uint8Array }> {
    const isAlone = this.#requestsUnderway++ === 0
    try {
      return await this.#fetchAnswer(range, init, isAlone)
    } catch (error) {
      if (error instanceof RefusedError && error.reason === 'changed' && !this.#hasChanged) {
        this.#hasChanged = true
        this.#onChanged()
      }
      throw error
    } finally {
      this.#requestsUnderway -= 1
    }
  }

  async #fetchAnswer(range: string, init: RequestInit, isAlone: boolean) {
    if (this.#hasChanged) throw new RefusedError(this.#url, 'changed')
    const askedMs = performance.now()
    const isInside = this.#about !== null && !range.startsWith('bytes=-')
    const { start, size, tag, response } = await requestRange(this.#url, range, init, isInside)
    if (this.#about && (this.#about.tag !== tag || this.#about.size !== size)) {
      await response.body?.cancel()
      throw new RefusedError(this.#url, 'changed')
    }
    this.#about ??= { size, tag }
    const answeredMs = performance.now()
    const bytes = new Uint8Array(await response.arrayBuffer())
    const doneMs = performance.now()
    const times = { bodyMs: doneMs - answeredMs, totalMs: doneMs - askedMs, isAlone }
    this.#line = learnLine(this.#line, bytes.length, times)
    return { start, bytes }
  }

  #wake(): void {
    if (this.#isReadingAhead) return
    this.#isReadingAhead = true
    // The decoder meets the same failure when it gets there, and reports it.
    this.#readOn()
      .catch(() => undefined)
      .finally(() => (this.#isReadingAhead = false))
  }

  /** Reads ahead in small requests, one at a time, so that clock probes find the line free. */
  async #readOn(): Promise<void> {
    for (let next = this.#nextMissing(); next !== null; next = this.#nextMissing()) {
      const startedMs = performance.now()
      const perSecond = this.#reading.bytesPerSecond ?? 1
      const bytes = this.#requestBytes()
      await this.#pause
      await this.#load(next, Math.ceil(bytes / blockBytes))
      const restMs = restAfter({
        aheadS: (next * blockBytes - this.#position) / perSecond,
        soundMs: (1_000 * bytes) / perSecond,
        tookMs: performance.now() - startedMs,
      })
      if (restMs > 0) await delay(restMs, this.#closing.signal)
    }
  }

  /** Returns the first block ahead that is missing, or null where enough is there. */
  #nextMissing(): number | null {
    if (!this.#about) return null
    const end = Math.min(this.#about.size, this.#position + this.#aheadBytes)
    for (let index = blockAt(this.#position); index * blockBytes < end; index += 1) {
      if (!this.#blocks.has(index) && !this.#underway.has(index)) return index
    }
    return null
  }
}

const blockAt = (position: number): number => Math.floor(position / blockBytes)
