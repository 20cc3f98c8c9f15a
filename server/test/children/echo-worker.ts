// A worker thread for the tests of calls to worker threads.
import { answerCalls, notify } from '../../src/async/worker-calls.ts'

export type EchoCalls = typeof calls

const calls = {
  async echo(text: string): Promise<string> {
    notify(`echo ${text}`)
    return text
  },
  async fail(message: string): Promise<void> {
    throw new RangeError(message)
  },
  async exit(code: number): Promise<void> {
    process.exit(code)
  },
  async hang(): Promise<void> {
    await new Promise(() => {})
  },
}

answerCalls(calls)
