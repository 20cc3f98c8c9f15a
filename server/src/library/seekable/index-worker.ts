import { mkdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { writeIndex } from './track-index.ts'

/** What a worker thread is to index. */
export interface IndexTask {
  path: string
  target: string
}

const { path, target } = workerData as IndexTask

// On Linux this is the priority of the thread; elsewhere it would be that of the whole server.
if (process.platform === 'linux') setPriority(10)

mkdirSync(dirname(target), { recursive: true })
writeIndex(path, target)
parentPort?.postMessage('written')
