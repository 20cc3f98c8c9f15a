import { workerData } from 'node:worker_threads'
import { answerCalls, notify } from '../../async/worker-calls.ts'
import { systemClock } from '../../clock/server-clock.ts'
import { createScanCalls } from './scan-calls.ts'

/** The thread that walks and watches the music folder. */

export interface ScanWorkerData {
  musicDir: string
  debounceMs: number
}

const data = workerData as ScanWorkerData
answerCalls(createScanCalls({ ...data, clock: systemClock, notify }))
