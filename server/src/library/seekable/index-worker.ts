import { mkdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { UnindexableError } from './audio-packets.ts'
import { pruneIndexes, writeIndex } from './track-index.ts'

/** What a worker thread is to index. */
export interface IndexTask {
  path: string
  target: string
  maxIndexes: number
}

/** How it went: `reason` is null where the index is written. */
export interface IndexAnswer {
  reason: string | null
}

const { path, target, maxIndexes } = workerData as IndexTask

// On Linux this is the priority of the thread; elsewhere it would be that of the whole server.
if (process.platform === 'linux') setPriority(10)

try {
  mkdirSync(dirname(target), { recursive: true })
  writeIndex(path, target)
  pruneIndexes(dirname(target), maxIndexes)
  parentPort?.postMessage({ reason: null } satisfies IndexAnswer)
} catch (error) {
  // A RangeError comes from reading behind the end of a damaged file.
  if (!(error instanceof UnindexableError) && !(error instanceof RangeError)) throw error
  parentPort?.postMessage({ reason: error.message } satisfies IndexAnswer)
}
