import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Clock, minuteMs } from '@earshot/core/clock'
import pLimit from 'p-limit'
import type { Logger } from 'pino'
import { createCoalescedRun } from '../../async/coalesced-run.ts'
import { openWorker, type WorkerCalls } from '../../async/worker-calls.ts'
import { BoundedMap } from '../../bounded-map.ts'
import type { Db } from '../../db/database.ts'
import type { LibraryFile } from '../../db/catalogue/library-files.ts'
import { findWaveform, insertWaveform, type WaveformFile } from '../../db/catalogue/waveforms.ts'
import { resolveMusicPath } from '../scan/music-folder.ts'
import { firstTrackId } from '../scan/track-matching.ts'
import { hasWaveform } from './measure-file.ts'
import { listPendingFrom } from './pending-files.ts'
import type { WaveformCalls } from './waveform-calls.ts'
import { serverLimits } from '../../server-limits.ts'

/** Computes the waveforms of library tracks once, in a thread of its own, one at a time. */
export interface Waveforms {
  /** Returns a file's waveform, computing it first if needed; null where it has none, or too many others wait. */
  find(file: Pick<LibraryFile, 'path' | 'fingerprint'>, durationMs: number | null): Promise<number[] | null>
  /** Computes those that are missing, in the background. Goes on where it was interrupted. */
  measureAll(): void
  close(): Promise<void>
}

interface WaveformsOptions {
  db: Db
  musicDir: string
  clock: Clock
  logger: Logger
  /** Whether a scan is running, which has precedence. */
  isScanning: () => boolean
}

const workerOptions = { timeoutMs: 60_000, idleMs: 5_000, maxHeapMb: 128 }
/** A disk or a permission may be back by then. A file that hangs the worker takes a fifth of its time. */
const retryAfterMs = 5 * minuteMs
const failuresKept = 1_000
const waitingMax = 20
/** The server's start and its first listeners have precedence. */
const startDelayMs = 30_000
/** Rests this many times as long as a file took, so that the background takes a quarter of a core. */
const restFactor = 3
const restMaxMs = 10_000

export function createWaveforms(options: WaveformsOptions): Waveforms {
  const { db, clock, logger, isScanning } = options
  const module = new URL('./waveform-worker.ts', import.meta.url)
  const worker = openWorker<WaveformCalls>(module, workerOptions)
  const limit = pLimit(1)
  const closing = new AbortController()
  const pause = createPause(clock)
  const measure = createMeasure(options, worker, closing.signal)
  const mayGoOn = (): boolean => !closing.signal.aborted && !isScanning()

  const measureMissing = async (): Promise<void> => {
    await pause.wait(startDelayMs)
    if (!mayGoOn()) return
    const start = firstTrackId(randomBytes(16).toString('base64url'))
    for await (const file of listPendingFrom(db, start)) {
      if (!mayGoOn()) return
      const startedAtMs = clock.now()
      await limit(() => measure(file, file.duration ?? 0))
      await pause.wait(Math.min(restMaxMs, restFactor * (clock.now() - startedAtMs)))
    }
  }
  const background = createCoalescedRun(() =>
    measureMissing().catch((error: unknown) => {
      if (closing.signal.aborted) return
      logger.error({ err: error }, 'Could not compute waveforms; trying again after the next scan')
    }),
  )

  return {
    async find(file, durationMs) {
      if (durationMs === null || durationMs > serverLimits.waveformMaxMs || !hasWaveform(file.path))
        return null
      const stored = await findWaveform(db, file.fingerprint)
      if (stored) return stored.peaks
      if (limit.pendingCount >= waitingMax) return null
      return limit(() => measure(file, durationMs))
    },
    measureAll: () => void background.request(),
    async close() {
      closing.abort()
      pause.end()
      await worker.close()
      await background.idle()
    },
  }
}

type MeasuredFile = Pick<WaveformFile, 'path' | 'fingerprint'>

/** Returns a function that computes and stores a waveform, unless it is stored, or could not be computed lately. */
function createMeasure(
  { db, musicDir, clock, logger }: WaveformsOptions,
  worker: WorkerCalls<WaveformCalls>,
  closing: AbortSignal,
): (file: MeasuredFile, durationMs: number) => Promise<number[] | null> {
  /** The time of the next attempt, by fingerprint. */
  const retryAtMs = new BoundedMap<string, number>(failuresKept)
  return async ({ path, fingerprint }, durationMs) => {
    const stored = await findWaveform(db, fingerprint)
    if (stored) return stored.peaks
    if (clock.now() < (retryAtMs.get(fingerprint) ?? 0)) return null
    const place = await resolveMusicPath(musicDir, path)
    if (!place) return null
    let peaks: number[] | null
    try {
      peaks = await worker.call('measure', { path: join(place.root, place.path), durationMs })
    } catch (error) {
      if (closing.aborted) return null
      retryAtMs.set(fingerprint, clock.now() + retryAfterMs)
      logger.warn({ err: error, path }, 'Could not compute a waveform; trying again in 5 minutes or later')
      return null
    }
    await insertWaveform(db, fingerprint, peaks)
    return peaks
  }
}

/** Waits one at a time, and not at all once it has ended. */
function createPause(clock: Clock) {
  let isEnded = false
  let finish = (): void => {}
  return {
    async wait(ms: number): Promise<void> {
      if (isEnded) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const cancel = clock.after(ms, resolve)
      finish = () => {
        cancel()
        resolve()
      }
      await promise
    },
    end(): void {
      isEnded = true
      finish()
    },
  }
}
