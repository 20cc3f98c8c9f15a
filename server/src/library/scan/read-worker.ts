import { workerData } from 'node:worker_threads'
import { answerCalls } from '../../async/worker-calls.ts'
import { createReadCalls } from './read-calls.ts'

/** The thread that reads the files of the music folder. */

export interface ReadWorkerData {
  musicDir: string
}

const { musicDir } = workerData as ReadWorkerData
answerCalls(createReadCalls(musicDir))
