import { AppError, codeOf, type ErrorCode } from '@earshot/core/protocol/errors'
import type { ImportResult } from '@earshot/core/protocol/providers'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { callApi } from '../../api/call-api.ts'
import { delay } from '../../timing.ts'
import { randomId } from '../random-id.ts'
import {
  emptyImport,
  nextPart,
  planImport,
  planRetry,
  settlePart,
  type ImportPart,
  type ImportProgress,
} from './import-progress.ts'

/** The imports of a visit, by a key of the playlist. They go on while nothing shows them. */
export interface PlaylistImports {
  readonly store: StoreApi<Readonly<Record<string, ImportProgress>>>
  /** Adds tracks to an import and sends what is not sent yet. */
  start(key: string, trackIds: readonly string[]): void
  /** Sends again what failed: parts without an answer under their ids, tracks refused by a full queue under new ones. */
  retry(key: string): void
  /** Stops after the part under way. */
  cancel(key: string): void
  /** Ends all of them. */
  stop(): void
}

/** Attempts of one part. All carry its id, so that the server adds nothing twice. */
const attempts = 3
const unansweredWaitMs = 1_000
const longestWaitMs = 10_000

export function createPlaylistImports(roomId: string): PlaylistImports {
  const store = createStore<Readonly<Record<string, ImportProgress>>>(() => ({}))
  const ended = new AbortController()
  const read = (key: string): ImportProgress => store.getState()[key] ?? emptyImport
  const write = (key: string, progress: ImportProgress) => store.setState({ [key]: progress })

  const run = async (key: string) => {
    if (read(key).isRunning) return
    write(key, { ...read(key), isRunning: true, isCancelled: false, error: null })
    let error: ErrorCode | null = null
    for (let part = nextPart(read(key)); part && error === null; part = nextPart(read(key))) {
      try {
        const results = await sendPart(roomId, part, ended.signal)
        write(key, settlePart(read(key), part.importId, results))
      } catch (failure) {
        error = codeOf(failure)
      }
      if (ended.signal.aborted) return
    }
    write(key, { ...read(key), isRunning: false, error })
  }

  return {
    store,
    start(key, trackIds) {
      write(key, planImport(read(key), trackIds, randomId))
      void run(key)
    },
    retry(key) {
      write(key, planRetry(read(key), randomId))
      void run(key)
    },
    cancel: (key) => write(key, { ...read(key), isCancelled: true }),
    stop: () => ended.abort(),
  }
}

/** Sends one part; without an answer, or while the server limits the rate, a few times. Rejects with an AppError. */
async function sendPart(roomId: string, part: ImportPart, signal: AbortSignal): Promise<ImportResult[]> {
  const body = { importId: part.importId, trackIds: [...part.trackIds] }
  for (let attempt = 1; ; attempt += 1) {
    try {
      const input = { params: { roomId }, body }
      return (await callApi('POST /api/rooms/:roomId/queue/import', input, { signal })).results
    } catch (error) {
      if (!(error instanceof AppError) || attempt >= attempts) throw error
      if (error.code !== 'unavailable' && error.code !== 'rate_limited') throw error
      await delay(Math.min(longestWaitMs, error.details.retryAfterMs ?? unansweredWaitMs))
      if (signal.aborted) throw error
    }
  }
}
