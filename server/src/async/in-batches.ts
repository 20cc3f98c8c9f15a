import { setImmediate as endOfTurn } from 'node:timers/promises'

export function* inBatches<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/** Like `inBatches`, each in a turn of the event loop of its own: the server answers clock probes in between. */
export async function* inTurns<Item>(items: readonly Item[], size: number): AsyncGenerator<Item[]> {
  let isFirst = true
  for (const batch of inBatches(items, size)) {
    if (!isFirst) await endOfTurn()
    isFirst = false
    yield batch
  }
}
