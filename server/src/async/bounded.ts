/** Runs tasks, at most `parallel` at the same time, in the order in which they were given. */
export function createBound(parallel: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []

  return async (task) => {
    if (running >= parallel) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      // The place passes straight to the next in line, so that nobody can take it in between.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
