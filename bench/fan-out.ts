import { alternateRounds, type Round } from './load/rounds.ts'
import { withDefer } from './defer.ts'
import { startLoad } from './load/load.ts'
import type { Figure, Measurement } from './measurement.ts'
import { summarise } from './report/statistics.ts'
import { openBaselineSource, openJournal, openProductSource, sampleFrames } from './load/senders.ts'

const audiences = [200, 1_000]
const pace = { rounds: 5, commands: 40, everyMs: 100 }

/** At the last listener, of the raw server's time. */
const goalFactor = 1.3

/** Measures the time from the owner's command to its arrival at every listener. */
export const fanOut: Measurement = {
  name: 'fan-out',
  title: `A command of the owner, stored, arrives at ${audiences.join(' and ')} listeners`,
  baseline: 'raw ws server that stores nothing and sends the same bytes to as many connections',
  measure: (log) =>
    withDefer(async (defer) => {
      const load = await startLoad()
      defer(() => load.stop())
      const product = await openProductSource(defer, load, { group: 'product', listeners: 0 })
      const durable = await openBaselineSource(defer, load, {
        group: 'durable',
        listeners: 0,
        frames: [],
        journal: openJournal(defer),
      })
      const figures: Figure[] = []
      for (const listeners of audiences) {
        await product.listenUpTo(listeners)
        const frames = await sampleFrames(load, product)
        const group = `baseline ${listeners}`
        const baseline = await openBaselineSource(defer, load, { group, listeners, frames, journal: null })
        const sources = [product, baseline, durable]
        await alternateRounds(load, sources, { ...pace, rounds: 1 })
        log(`${listeners} listeners have joined; warm, measuring in alternate rounds`)
        const [ours, theirs, written] = await alternateRounds(load, sources, pace)
        if (!ours || !theirs || !written) throw new Error('A round is missing')
        figures.push(...toFigures(listeners, ours, theirs), ...toDiskFigures(listeners, written))
      }
      return figures
    }),
}

/**
 * The time that the disk took meanwhile: a stall of it is part of the product's time, not of the baseline's, which stores
 * nothing.
 */
function toDiskFigures(listeners: number, { acknowledgedMs }: Round): Figure[] {
  const written = summarise(acknowledgedMs)
  return (['p50', 'p99', 'max'] as const).map((key) => ({
    name: `one durable write meanwhile, ${listeners}, ${key}`,
    unit: 'ms',
    value: written[key],
  }))
}

function toFigures(listeners: number, ours: Round, theirs: Round): Figure[] {
  const arrived = { ours: summarise(ours.arrivedMs), theirs: summarise(theirs.arrivedMs) }
  const all = { ours: summarise(ours.receivedByAllMs), theirs: summarise(theirs.receivedByAllMs) }
  const commands = ours.receivedByAllMs.length * listeners
  const pick = (name: string, from: typeof arrived, key: 'p50' | 'p99' | 'max'): Figure => ({
    name: `${name} of ${listeners}, ${key}`,
    unit: 'ms',
    value: from.ours[key],
    baseline: from.theirs[key],
  })
  return [
    pick('at a listener', arrived, 'p50'),
    pick('at a listener', arrived, 'p99'),
    pick('at a listener', arrived, 'max'),
    pick('at the last listener', all, 'p50'),
    { ...pick('at the last listener', all, 'p99'), goal: goalFactor * all.theirs.p99 },
    {
      name: `bytes a listener of ${listeners} and command`,
      unit: '',
      value: ours.bytes / commands,
      baseline: theirs.bytes / commands,
    },
  ]
}
