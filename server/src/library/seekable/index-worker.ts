import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../../async/low-priority.ts'
import { writeIndex } from './track-index.ts'

/** A file for a worker thread to index. */
export interface IndexTask {
  path: string
  target: string
}

const { path, target } = workerData as IndexTask

// Before the other worker threads: somebody waits for this one.
lowerPriority(4)

mkdirSync(dirname(target), { recursive: true })
writeIndex(path, target)
parentPort?.postMessage('written')
