import { setTimeout as delay } from 'node:timers/promises'
import { withDefer } from './defer.ts'
import { type Load, startLoad } from './load/load.ts'
import { type CommandSource, runAtInterval } from './load/rounds.ts'
import { openBaselineSource, openProductSource, sampleFrames } from './load/senders.ts'
import type { Figure, Measurement } from './measurement.ts'
import { readProcessorMs } from './product/process-cost.ts'

const audiences = [200, 1_000]
const rounds = 4
/** Half of what the owner may command, so that a stall is no reason to refuse. */
const pace = { commands: 40, everyMs: 100 }
const stragglersMs = 500

/** Measures the processor time that it takes the server to deliver events. */
export const deliveries: Measurement = {
  name: 'deliveries',
  title: `Processor time of the server for 1,000 events that reach ${audiences.join(' and ')} listeners`,
  baseline: 'raw ws server that stores nothing and sends the same frames to as many connections',
  measure: (log) =>
    withDefer(async (defer) => {
      const load = await startLoad()
      defer(() => load.stop())
      const source = await openProductSource(defer, load, { group: 'product', listeners: 0 })
      const { pid } = source.server.app
      const figures: Figure[] = []
      for (const listeners of audiences) {
        await source.listenUpTo(listeners)
        const frames = await sampleFrames(load, source)
        const group = `baseline ${listeners}`
        const raw = await openBaselineSource(defer, load, { group, listeners, frames, journal: null })
        await countDelivered(load, source, pid)
        await countDelivered(load, raw, raw.pid)
        log(`${listeners} listeners have joined; warm, measuring in alternate rounds`)
        const [ours, theirs] = [createSum(), createSum()]
        for (let round = 0; round < rounds; round += 1) {
          ours.add(await countDelivered(load, source, pid))
          theirs.add(await countDelivered(load, raw, raw.pid))
        }
        const [value, baseline] = [ours.msOfThousand(), theirs.msOfThousand()]
        figures.push({ name: `to ${listeners} listeners`, unit: 'ms', value, baseline, goal: baseline })
      }
      return figures
    }),
}

interface Delivered {
  events: number
  processorMs: number
}

/** Sends one round of commands. Counts what arrives and what it costs the server, from the first command on. */
async function countDelivered(load: Load, source: CommandSource, pid: number): Promise<Delivered> {
  await load.run('startRecording', { group: source.group })
  const before = readProcessorMs(pid)
  await runAtInterval(pace.commands, pace.everyMs, (index) => source.command(index))
  await delay(stragglersMs)
  const processorMs = readProcessorMs(pid) - before
  const { frames } = await load.run('stopRecording', { group: source.group })
  return { events: frames, processorMs }
}

function createSum() {
  const sum: Delivered = { events: 0, processorMs: 0 }
  return {
    add({ events, processorMs }: Delivered): void {
      sum.events += events
      sum.processorMs += processorMs
    },
    msOfThousand: () => (1_000 * sum.processorMs) / sum.events,
  }
}
