/** Registers what to do at the end, whatever happens; the last registered is done first. */
export type Defer = (undo: () => unknown) => void

/** Runs `work`, then everything it deferred. What `work` threw is thrown again after that. */
export async function withDefer<Result>(work: (defer: Defer) => Promise<Result>): Promise<Result> {
  const undone: (() => unknown)[] = []
  try {
    return await work((undo) => undone.push(undo))
  } finally {
    for (const undo of undone.toReversed()) await undo()
  }
}
