// A worker thread for the tests of calls to worker threads.
import { readFile } from 'node:fs/promises'
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
  /** Counts and notifies once its answer is sent. */
  async count(answered: Int32Array<SharedArrayBuffer>): Promise<void> {
    setImmediate(() => {
      notify('answered')
      Atomics.add(answered, 0, 1)
      Atomics.notify(answered, 0)
    })
  },
  async exit(code: number): Promise<void> {
    process.exit(code)
  },
  async hang(): Promise<void> {
    await new Promise(() => {})
  },
  async read(path: string): Promise<string> {
    return readFile(path, 'utf8')
  },
}

answerCalls(calls)
