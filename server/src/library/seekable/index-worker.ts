import { workerData } from 'node:worker_threads'
import { answerCalls } from '../../async/worker-calls.ts'
import { writeIndex } from './track-index.ts'

/** A thread that indexes files: those that somebody waits for, or those of the library, in the background. */

export interface IndexWorkerData {
  niceness: number
}

const calls = {
  async writeIndex({ path, target }: { path: string; target: string }): Promise<void> {
    writeIndex(path, target)
  },
}

export type IndexCalls = typeof calls

answerCalls(calls, (workerData as IndexWorkerData).niceness)
