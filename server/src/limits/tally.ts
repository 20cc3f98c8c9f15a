/** Counts by key, forgets keys without any, and counts nothing by null. */
export interface Tally<Key> {
  add(key: Key | null): void
  remove(key: Key | null): void
  count(key: Key | null): number
}

export function createTally<Key = string>(): Tally<Key> {
  const counts = new Map<Key, number>()
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
