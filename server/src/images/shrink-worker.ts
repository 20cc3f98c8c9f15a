import { answerCalls } from '../async/worker-calls.ts'
import { shrinkCalls } from './shrink-calls.ts'

/** The thread that shrinks what users send. It ends when it is idle, and returns the memory of the decoders. */
answerCalls(shrinkCalls)
