/** Registers a clean-up that runs at the end, also after an error; the last registered runs first. */
export type Defer = (undo: () => unknown) => void

/** Runs `work`, then its deferred clean-ups. Rethrows the error of `work`. */
export async function withDefer<Result>(work: (defer: Defer) => Promise<Result>): Promise<Result> {
  const undone: (() => unknown)[] = []
  try {
    return await work((undo) => undone.push(undo))
  } finally {
    for (const undo of undone.toReversed()) await undo()
  }
}
