import { setTimeout as delay } from 'node:timers/promises'

/**
 * Runs `work` `count` times, one every `everyMs`, whether or not the earlier ones are done: whoever is slow gets a
 * queue, as in life. Resolves when all are done.
 */
export async function atPace<Result>(
  count: number,
  everyMs: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const startedAt = performance.now()
  const running: Promise<Result>[] = []
  for (let index = 0; index < count; index += 1) {
    const waitMs = startedAt + index * everyMs - performance.now()
    if (waitMs > 0) await delay(waitMs)
    running.push(work(index))
  }
  return await Promise.all(running)
}
