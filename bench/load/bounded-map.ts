/** Runs `work` for every item, at most `width` at the same time. Resolves to the results in the order of the items. */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const workers = Array.from({ length: Math.min(width, items.length) }, async () => {
    for (const [index, item] of queue) results[index] = await work(item, index)
  })
  await Promise.all(workers)
  return results
}
