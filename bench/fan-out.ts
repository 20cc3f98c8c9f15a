import { alternateRounds, type Round } from './load/rounds.ts'
import { withDefer } from './defer.ts'
import { startLoad } from './load/load.ts'
import type { Figure, Measurement } from './measurement.ts'
import { summarise } from './report/statistics.ts'
import { openProductSpeaker, openYardstickSpeaker, sampleFrames } from './load/senders.ts'

const listeners = 200
const pace = { rounds: 5, commands: 40, everyMs: 60 }

/** How long it takes until what the owner commands is at every listener. */
export const fanOut: Measurement = {
  name: 'fan-out',
  title: `A command of the owner, stored, arrives at ${listeners} listeners`,
  yardstick: 'raw ws server that stores nothing and sends the same bytes to as many connections',
  measure: (say) =>
    withDefer(async (defer) => {
      const load = await startLoad()
      defer(() => load.stop())
      const product = await openProductSpeaker(defer, load, { group: 'product', listeners })
      say(`${listeners} listeners have joined`)
      const frames = await sampleFrames(load, product)
      const yardstick = await openYardstickSpeaker(defer, load, {
        group: 'yardstick',
        listeners,
        frames,
        journal: null,
      })
      await alternateRounds(load, [product, yardstick], { ...pace, rounds: 1 })
      say('warm; measuring in alternate rounds')
      const [ours, theirs] = await alternateRounds(load, [product, yardstick], pace)
      if (!ours || !theirs) throw new Error('A round is missing')
      return toFigures(ours, theirs)
    }),
}

function toFigures(ours: Round, theirs: Round): Figure[] {
  const arrived = { ours: summarise(ours.arrivedMs), theirs: summarise(theirs.arrivedMs) }
  const all = { ours: summarise(ours.heardByAllMs), theirs: summarise(theirs.heardByAllMs) }
  const commands = ours.heardByAllMs.length * listeners
  const pick = (name: string, from: typeof arrived, key: 'p50' | 'p99' | 'max'): Figure => ({
    name: `${name} ${key}`,
    unit: 'ms',
    value: from.ours[key],
    yardstick: from.theirs[key],
  })
  return [
    pick('at a listener', arrived, 'p50'),
    pick('at a listener', arrived, 'p99'),
    pick('at a listener', arrived, 'max'),
    pick('at the last listener', all, 'p50'),
    pick('at the last listener', all, 'p99'),
    {
      name: 'bytes a listener and command',
      unit: '',
      value: ours.bytes / commands,
      yardstick: theirs.bytes / commands,
    },
  ]
}
