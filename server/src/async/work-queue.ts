/** Works on keys, a few at a time, each key never twice at once. */
export interface WorkQueue {
  /** A key that waits already is not added again; one that is worked on is worked on once more afterwards. */
  add(key: string): void
  isWorkingOn(key: string): boolean
  /** Takes nothing up any more; resolves when what is under way is done. */
  close(): Promise<void>
}

/** `work` must not reject. */
export function createWorkQueue(concurrency: number, work: (key: string) => Promise<void>): WorkQueue {
  const waiting = new Set<string>()
  const working = new Map<string, Promise<void>>()
  let isClosed = false

  const takeUp = (): void => {
    for (const key of waiting) {
      if (isClosed || working.size >= concurrency) return
      if (working.has(key)) continue
      waiting.delete(key)
      working.set(
        key,
        work(key).finally(() => {
          working.delete(key)
          takeUp()
        }),
      )
    }
  }

  return {
    add(key) {
      waiting.add(key)
      takeUp()
    },
    isWorkingOn: (key) => working.has(key),
    async close() {
      isClosed = true
      await Promise.all(working.values())
    },
  }
}
