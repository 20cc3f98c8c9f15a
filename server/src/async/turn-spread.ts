/**
 * Spreads work over turns of the event loop, so that the server answers clock probes in between. Resolves in this turn
 * for the first `perTurn` calls, and in later turns, in order, for those beyond.
 */
export function createTurnSpread(perTurn: number): () => Promise<void> {
  const waiting: (() => void)[] = []
  let started = 0
  let isNextRequested = false

  const requestNext = (): void => {
    if (isNextRequested) return
    isNextRequested = true
    setImmediate(() => {
      isNextRequested = false
      const next = waiting.splice(0, perTurn)
      started = next.length
      if (started > 0) requestNext()
      for (const start of next) start()
    })
  }

  return () => {
    requestNext()
    if (started >= perTurn) return new Promise((resolve) => waiting.push(resolve))
    started += 1
    return Promise.resolve()
  }
}
