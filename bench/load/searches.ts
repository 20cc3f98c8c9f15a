import { setTimeout as delay } from 'node:timers/promises'
import { callApi } from '../product/http-client.ts'
import { searchWords } from '../probes/large-library.ts'
import type { Searcher } from './load-tasks.ts'
import { monotonicMs } from './monotonic.ts'

const pauseMs = 500

/** Lets each person search for one word after another. The returned function stops them: the ms of each answer. */
export function startSearches(url: string, people: Searcher[]): () => Promise<number[]> {
  let isOn = true
  const answeredMs: number[] = []
  const search = async ({ cookie, from }: Searcher, index: number): Promise<void> => {
    await delay((index / people.length) * pauseMs)
    for (let count = index; isOn; count++) {
      const query = new URLSearchParams({
        source: 'library',
        q: searchWords[count % searchWords.length] ?? '',
      })
      const sentMs = monotonicMs()
      await callApi({ method: 'GET', url: `${url}/api/tracks?${query.toString()}`, cookie, from })
      answeredMs.push(monotonicMs() - sentMs)
      await delay(pauseMs)
    }
  }
  const searching = Promise.all(people.map(search))
  return async () => {
    isOn = false
    await searching
    return answeredMs
  }
}
