/** Counts by key. Keys without any are forgotten. */
export interface Tally {
  add(key: string): void
  remove(key: string): void
  count(key: string): number
}

export function createTally(): Tally {
  const counts = new Map<string, number>()
  return {
    add: (key) => void counts.set(key, (counts.get(key) ?? 0) + 1),
    remove(key) {
      const left = (counts.get(key) ?? 0) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    },
    count: (key) => counts.get(key) ?? 0,
  }
}
