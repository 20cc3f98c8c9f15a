/**
 * Serialises tasks per key, in the order given. A failed task does not block the next. Resolves and rejects as the
 * task does.
 */
export function createKeyedMutex(): <Result>(key: string, task: () => Promise<Result>) => Promise<Result> {
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
