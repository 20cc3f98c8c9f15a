import pLimit from 'p-limit'

/** As many as Node's own number of pool threads. `main.ts` makes the pool larger than all users of the disk together. */
const callsAtOnce = 4

const limit = pLimit(callsAtOnce)

/**
 * Calls the file system of the music folder, a few times at once in each thread. Where a network disk hangs, every
 * call holds a thread of the pool that the process shares with the page's files and with passwords. No such call may
 * wait for another.
 */
export function callDisk<Result>(call: () => Promise<Result>): Promise<Result> {
  return limit(call)
}
