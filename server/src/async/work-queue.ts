/** Bounded-concurrency queue, deduplicated by key. */
export interface WorkQueue {
  /** Queues a key unless it already waits. A key that is in progress runs once more afterwards. */
  add(key: string): void
  isWorkingOn(key: string): boolean
  /** Starts nothing further; resolves when the work in progress is done. */
  close(): Promise<void>
}

/** Creates a queue that runs `work` for each key, never twice at once for the same one. `work` must not reject. */
export function createWorkQueue(concurrency: number, work: (key: string) => Promise<void>): WorkQueue {
  const waiting = new Set<string>()
  const working = new Map<string, Promise<void>>()
  let isClosed = false

  const startNext = (): void => {
    for (const key of waiting) {
      if (isClosed || working.size >= concurrency) return
      if (working.has(key)) continue
      waiting.delete(key)
      working.set(
        key,
        work(key).finally(() => {
          working.delete(key)
          startNext()
        }),
      )
    }
  }

  return {
    add(key) {
      waiting.add(key)
      startNext()
    },
    isWorkingOn: (key) => working.has(key),
    async close() {
      isClosed = true
      await Promise.all(working.values())
    },
  }
}
