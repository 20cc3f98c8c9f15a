import { workerData } from 'node:worker_threads'
import { answerCalls } from '../../async/worker-calls.ts'
import { type CoverCallsOptions, createCoverCalls } from './cover-calls.ts'

/** The thread that reads and shrinks covers. It ends when it is idle, and returns the memory of the decoders. */
answerCalls(createCoverCalls(workerData as CoverCallsOptions))
