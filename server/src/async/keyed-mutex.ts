/**
 * Runs tasks of one key one after the other, and tasks of different keys side by side. A task that fails holds nobody
 * up. Resolves and rejects as its task does.
 */
export function createLanes(): <Result>(key: string, task: () => Promise<Result>) => Promise<Result> {
  const tails = new Map<string, Promise<unknown>>()

  return (key, task) => {
    const result = (tails.get(key) ?? Promise.resolve()).then(task, task)
    tails.set(key, result)
    const clear = (): void => {
      if (tails.get(key) === result) tails.delete(key)
    }
    result.then(clear, clear)
    return result
  }
}
