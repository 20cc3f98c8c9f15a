import pLimit from 'p-limit'

/** Each takes 32 MB for a tenth of a second. */
const atOnce = 4

const limit = pLimit(atOnce)

/** Runs what hashes a password, a few at a time: the pool of threads that it uses is larger, and others need it too. */
export function hashInTurn<Result>(hash: () => Promise<Result>): Promise<Result> {
  return limit(hash)
}
