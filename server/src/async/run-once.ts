import pLimit from 'p-limit'

/**
 * Returns a function that runs tasks in turn, each key once at a time: a call for a key that waits or runs gets the
 * same result. Returns null where `waitingMax` others wait.
 */
export function createRunOnce<Result>(waitingMax: number) {
  const limit = pLimit(1)
  const runs = new Map<string, Promise<Result>>()
  return (key: string, task: () => Promise<Result>): Promise<Result> | null => {
    const running = runs.get(key)
    if (running || limit.pendingCount >= waitingMax) return running ?? null
    const run = limit(task).finally(() => runs.delete(key))
    runs.set(key, run)
    return run
  }
}
