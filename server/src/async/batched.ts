import { isUnavailable } from '../unavailable.ts'

interface Waiting<Key, Result> {
  key: Key
  resolve(result: Result): void
  reject(error: unknown): void
}

/** A batch is no larger, so that a statement with all its keys stays small. */
const batchMax = 200

/**
 * Batches calls: those that come while a batch runs make the next one, so a single call starts at once. `run`
 * resolves to the results in the order of the keys. Where a batch fails, its calls are run one by one, so that one
 * bad key fails alone: `run` must be repeatable. Where the database is not available, all fail: each would wait for
 * the same.
 */
export function createBatched<Key, Result>(
  run: (keys: readonly Key[]) => Promise<readonly Result[]>,
): (key: Key) => Promise<Result> {
  const waiting: Waiting<Key, Result>[] = []
  let isRunning = false

  const runBatch = async (batch: readonly Waiting<Key, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ key }) => key))
      batch.forEach((call, index) => call.resolve(results[index] as Result))
    } catch (error) {
      if (batch.length > 1 && !isUnavailable(error)) {
        for (const call of batch) await runBatch([call])
      } else for (const call of batch) call.reject(error)
    }
  }
  const drain = async (): Promise<void> => {
    isRunning = true
    while (waiting.length > 0) await runBatch(waiting.splice(0, batchMax))
    isRunning = false
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (!isRunning) void drain()
    })
}

/** Batches look-ups by key, each key once a batch. Resolves to null where `list` returns nothing for a key. */
export function createBatchedLookup<Key, Value>(
  list: (keys: Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | null> {
  return createBatched(async (keys: readonly Key[]) => {
    const found = await list([...new Set(keys)])
    return keys.map((key) => found.get(key) ?? null)
  })
}
