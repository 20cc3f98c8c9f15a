/** Runs one thing at a time, however often it is asked for. */
export interface SingleRun {
  /** Runs it, or once more after the present run. Resolves when a run that began after this call has ended. */
  request(): Promise<void>
  /** Resolves when nothing runs. */
  idle(): Promise<void>
}

/** `run` must not reject. */
export function createSingleRun(run: () => Promise<void>): SingleRun {
  let current: Promise<void> | null = null
  let next: Promise<void> | null = null

  const start = (): Promise<void> => {
    current = run().finally(() => {
      current = null
    })
    return current
  }
  return {
    request() {
      if (current === null) return start()
      next ??= current.then(() => {
        next = null
        return start()
      })
      return next
    },
    async idle() {
      while (current !== null) await current
    },
  }
}
