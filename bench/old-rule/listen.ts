import type { Pair } from './pair.ts'
import type { Scenario } from './scenarios.ts'

/** How often it is looked how far apart the two sound. */
const lookMs = 50

/** Lets a scenario happen to two people; how far apart they sounded, in ms, whenever both did. */
export function listen(pair: Pair, { acts, untilMs }: Scenario): number[] {
  const apart: number[] = []
  const due = [...acts]
  for (let atMs = 0; atMs < untilMs; atMs += lookMs) {
    while (due[0] && due[0].atMs <= atMs) due.shift()?.act(pair)
    pair.clock.advance(lookMs)
    const apartMs = pair.apartMs()
    if (apartMs !== null) apart.push(Math.abs(apartMs))
  }
  return apart
}
