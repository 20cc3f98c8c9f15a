/** Runs one task at a time; requests during a run are combined into one further run. */
export interface CoalescedRun {
  /** Runs the task, or once more after the current run. Resolves when a run that began after this call has ended. */
  request(): Promise<void>
  /** Resolves when no run is under way. */
  idle(): Promise<void>
}

/** Creates a coalesced run. `run` must not reject. */
export function createCoalescedRun(run: () => Promise<void>): CoalescedRun {
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
