import { asymmetric } from '../impaired/proxied-room.ts'
import { packetLoss } from '../impaired/packet-loss.ts'
import { asymmetry, hidden, jitter, outage, reload } from '../impaired/scenarios.ts'
import { wrongClocks } from '../impaired/wrong-clocks.ts'
import type { Figure, Log, MeasureOptions, Measurement } from '../measurement.ts'
import { whyNoLossyLink } from '../network/lossy-link.ts'
import { defaultRuns, recordScenario, type Scenario } from '../sound/scenario.ts'
import { sessionFigures, type FigureOptions } from '../sound/session-figures.ts'
import type { PairSkew } from '@earshot/e2e/sound/skew/session-windows'
import type { TestRoom } from '../sound/test-room.ts'

/** p95 of the skew where the network is bad, and where only a clock is wrong. */
const goals = { jitter: { p95Ms: 4 }, bad: { p95Ms: 8 }, hidden: { p95Ms: 8 }, clean: { p95Ms: 1 } }

/** Half of what the two directions of the asymmetric path differ by: no clock can be known better. */
const asymmetryErrorMs = (asymmetric.down.delayMs - asymmetric.up.delayMs) / 2
const isWithOwner = ({ between }: PairSkew) => between.includes(0)

/** Measures the skew of three browsers, two of them with impaired networks or wrong clocks. */
export const syncImpaired: Measurement = {
  name: 'sync-impaired',
  title: 'Skew in the recorded sound of three browsers, two of them with bad networks or wrong clocks',
  baseline: 'of the asymmetric path, half of what its directions differ by: no clock can be known better',
  isLong: true,
  measure: async (log, options) => [
    ...(await measure(jitter, { goals: goals.jitter }, log, options)),
    ...(await measureAsymmetry(log, options)),
    ...(await measure(outage, { goals: goals.bad }, log, options)),
    ...(await measure(wrongClocks, { goals: goals.clean }, log, options)),
    ...(await measureLoss(log, options)),
  ],
}

/** Measures reloads in mid-track far from the server: nothing wrong may sound before the clock is known. */
export const syncReload: Measurement = {
  name: 'sync-reload',
  title:
    'Skew in the recorded sound of three browsers, two of which reload 400 ms round trip from the server',
  baseline: null,
  isLong: true,
  measure: (log, options) => measure(reload, { goals: goals.bad }, log, options),
}

/** Measures a tab that the browser hides and throttles, on a bad path. */
export const syncHidden: Measurement = {
  name: 'sync-hidden',
  title: 'Skew in the recorded sound of three browsers, one of them in a hidden tab on a bad path',
  baseline: null,
  isLong: true,
  measure: (log, options) => measure(hidden, { goals: goals.hidden }, log, options),
}

async function measure<Room extends TestRoom>(
  scenario: Scenario<Room>,
  figures: FigureOptions,
  log: Log,
  { runs }: MeasureOptions,
): Promise<Figure[]> {
  const sessions = await recordScenario(scenario, runs ?? defaultRuns, log)
  return sessionFigures(sessions, { name: scenario.name, ...figures })
}

/** Judges the two behind the same path and, apart from them, each of them beside the owner. */
async function measureAsymmetry(log: Log, { runs }: MeasureOptions): Promise<Figure[]> {
  const sessions = await recordScenario(asymmetry, runs ?? defaultRuns, log)
  const { name } = asymmetry
  const toOwner = sessionFigures(sessions, { name: `${name}, to the owner`, isJudged: isWithOwner })
  return [
    ...sessionFigures(sessions, { name, goals: goals.bad, isJudged: (pair) => !isWithOwner(pair) }),
    ...toOwner
      .filter((figure) => figure.name.endsWith('skew p95'))
      .map((figure) => ({ ...figure, baseline: asymmetryErrorMs })),
  ]
}

async function measureLoss(log: Log, options: MeasureOptions): Promise<Figure[]> {
  const reason = whyNoLossyLink()
  if (reason === null) return measure(packetLoss, { goals: goals.bad }, log, options)
  log(`SKIPPED, loss of packets: ${reason}`)
  return []
}
