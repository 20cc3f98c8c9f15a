import type { Figure, Measurement } from './measurement.ts'
import { listen } from './old-rule/listen.ts'
import { openNewPair } from './old-rule/product-pair.ts'
import { openOldPair } from './old-rule/old-rule-pair.ts'
import { type Scenario, scenarios } from './old-rule/scenarios.ts'
import { summarise } from './report/statistics.ts'

const seeds = Array.from({ length: 12 }, (_, index) => index + 1)

/** What the timeline and the measured clock are worth: the same people under the rule of older clients. */
export const oldRule: Measurement = {
  name: 'old-rule',
  title: `Simulated: how far a listener sounds from the owner, ${seeds.length} seeds a scenario`,
  yardstick: 'the same network, clocks and devices under the old rule: elapsed + 100 ms, seeks beyond 2 s',
  measure(say) {
    const figures = scenarios.flatMap((scenario) => {
      say(scenario.name)
      return toFigures(scenario)
    })
    return Promise.resolve(figures)
  },
}

function toFigures(scenario: Scenario): Figure[] {
  const ours = summarise(seeds.flatMap((seed) => listen(openNewPair(scenario.listener(seed)), scenario)))
  const old = summarise(seeds.flatMap((seed) => listen(openOldPair(scenario.listener(seed)), scenario)))
  return (['p50', 'p95', 'max'] as const).map((key) => ({
    name: `${scenario.name}: ${key}`,
    unit: 'ms',
    value: ours[key],
    yardstick: old[key],
    ...(key === 'p95' && scenario.goalP95Ms !== null && { goal: scenario.goalP95Ms }),
  }))
}
