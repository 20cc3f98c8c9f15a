import { answerCalls } from '../../async/worker-calls.ts'
import { writeIndex } from './track-index.ts'

/** The thread that indexes the library; `index-worker.ts` is that of a file somebody waits for. */

const calls = {
  async writeIndex({ path, target }: { path: string; target: string }): Promise<void> {
    writeIndex(path, target)
  },
}

export type IndexCalls = typeof calls

answerCalls(calls)
