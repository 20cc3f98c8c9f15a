/** Counts by key, forgets keys without any, and counts nothing by null. */
interface Tally {
  add(key: string | null): void
  remove(key: string | null): void
  count(key: string | null): number
}

export function createTally(): Tally {
  const counts = new Map<string, number>()
  return {
    add(key) {
      if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1)
    },
    remove(key) {
      if (key === null) return
      const left = (counts.get(key) ?? 0) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    },
    count: (key) => (key === null ? 0 : (counts.get(key) ?? 0)),
  }
}
