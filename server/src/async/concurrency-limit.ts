/** Runs at most `concurrency` tasks at a time, in the order given. Resolves and rejects as the task does. */
export function createConcurrencyLimit(concurrency: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []

  return async (task) => {
    if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      // The slot passes directly to the next task, so that no new task can take it in between.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
