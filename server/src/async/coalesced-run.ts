/** Runs one task at a time; requests during a run are combined into one further run. */
export interface CoalescedRun {
  /** Runs the task, or once more after the current run. Resolves when a run that began after this call has ended. */
  request(): Promise<void>
  /** Resolves when no run is under way. */
  idle(): Promise<void>
}

/** Creates a coalesced run. Where `run` rejects, those who requested it get its error. */
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
      // First: between a run and the next one, there is none under way.
      if (next !== null) return next
      if (current === null) return start()
      const startNext = (): Promise<void> => {
        next = null
        return start()
      }
      next = current.then(startNext, startNext)
      return next
    },
    async idle() {
      for (let run = current ?? next; run !== null; run = current ?? next) await Promise.allSettled([run])
    },
  }
}
