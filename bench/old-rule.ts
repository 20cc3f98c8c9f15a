import type { Figure, Measurement } from './measurement.ts'
import { openProductPair } from './old-rule/product-pair.ts'
import { openOldRulePair } from './old-rule/old-rule-pair.ts'
import { type Scenario, scenarios } from './old-rule/scenarios.ts'
import { summarise } from './report/statistics.ts'
import type { Pair } from './old-rule/pair.ts'

const seeds = Array.from({ length: 12 }, (_, index) => index + 1)

/** Compares the product's sync with the rule of older clients, in a simulation. */
export const oldRule: Measurement = {
  name: 'old-rule',
  title: `Simulated: how far a listener sounds from the owner, ${seeds.length} seeds a scenario`,
  baseline: 'the same network, clocks and devices under the old rule: elapsed + 100 ms, seeks beyond 2 s',
  measure(log) {
    const figures = scenarios.flatMap((scenario) => {
      log(scenario.name)
      return toFigures(scenario)
    })
    return Promise.resolve(figures)
  },
}

function toFigures(scenario: Scenario): Figure[] {
  const ours = summarise(
    seeds.flatMap((seed) => measureApart(openProductPair(scenario.listener(seed)), scenario)),
  )
  const old = summarise(
    seeds.flatMap((seed) => measureApart(openOldRulePair(scenario.listener(seed)), scenario)),
  )
  return (['p50', 'p95', 'max'] as const).map((key) => ({
    name: `${scenario.name}: ${key}`,
    unit: 'ms',
    value: ours[key],
    baseline: old[key],
    ...(key === 'p95' && scenario.goalP95Ms !== null && { goal: scenario.goalP95Ms }),
  }))
}

/** Interval of the samples. */
const lookMs = 50

/** Runs a scenario and samples the skew while both sound, ms. */
function measureApart(pair: Pair, { acts, untilMs }: Scenario): number[] {
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
