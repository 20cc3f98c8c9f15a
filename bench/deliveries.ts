import { setTimeout as delay } from 'node:timers/promises'
import { withDefer } from './defer.ts'
import { callApi } from './product/http-client.ts'
import { type Load, startLoad } from './load/load.ts'
import { type CommandSource, commandInTurn, runAtInterval } from './load/rounds.ts'
import {
  openBaselineRoom,
  openBaselineSource,
  openProductSource,
  openRoomSource,
  sampleFrames,
  startBaseline,
} from './load/senders.ts'
import type { Figure, Log, Measurement } from './measurement.ts'
import { readProcessorMs } from './product/process-cost.ts'
import { type ProductServer, startProductServer, takeAt } from './product/product-server.ts'
import { callRates } from '../server/src/limits/rates.ts'

/** Rooms enough that the load process takes nearly all of its core. */
const audiences = [
  { listeners: 200, rooms: 10 },
  { listeners: 1_000, rooms: 2 },
]
const rounds = 4
const roundMs = 5_000
/** Each joins 40 times at most. */
const listeningPeople = 50
/** A command follows the acknowledgement of the one before, but no sooner than its owner may command. */
const leastMs = (1.1 * callRates.command.perMs) / callRates.command.points
/** Half of what the owner may command, so that a stall is no reason to refuse. */
const slowPace = { commands: 40, everyMs: 100 }
const stragglersMs = 500

/** Measures the processor time that it takes the server to deliver events. */
export const deliveries: Measurement = {
  name: 'deliveries',
  title: 'Processor time of the server for 1,000 events that reach listeners',
  baseline: 'raw ws server that stores nothing and sends the same frames to as many connections',
  measure: (log) =>
    withDefer(async (defer) => {
      const load = await startLoad()
      defer(() => load.stop())
      const figures: Figure[] = []
      for (const audience of audiences) figures.push(...(await measureSaturated(log, load, audience)))
      figures.push(...(await measureAtTenASecond(log, load)))
      return figures
    }),
}

interface Audience {
  /** Of each room. */
  listeners: number
  rooms: number
}

/** Every owner commands as often as is acknowledged and allowed. */
async function measureSaturated(log: Log, load: Load, { listeners, rooms }: Audience): Promise<Figure[]> {
  return await withDefer(async (defer) => {
    const server = await startProductServer(defer, { people: rooms + listeningPeople })
    const members = server.people.slice(rooms)
    const places = Array.from({ length: rooms }, (_, index) => index)
    const sources: CommandSource[] = []
    for (const place of places) {
      const owner = takeAt(server.people, place)
      const room = await openRoomSource(defer, load, { group: `room ${place}`, server, owner, members })
      await room.listenUpTo(listeners)
      sources.push(room)
    }
    await measureWaveform(server)
    const [first] = sources
    if (!first) throw new RangeError('There is no room')
    const baseline = await startBaseline(defer, await sampleFrames(load, first), null)
    const plain: CommandSource[] = []
    for (const place of places) {
      plain.push(await openBaselineRoom(defer, load, { baseline, group: `baseline ${place}`, listeners }))
    }
    const [{ pid }, saturate] = [server.app, () => commandAll(sources)]
    const saturateBaseline = () => commandAll(plain)
    await countDelivered(load, sources, pid, saturate)
    await countDelivered(load, plain, baseline.pid, saturateBaseline)
    log(`${rooms} rooms of ${listeners} listeners; warm, measuring in alternate rounds`)
    const [ours, theirs] = [createSum(), createSum()]
    for (let round = 0; round < rounds; round += 1) {
      ours.add(await countDelivered(load, sources, pid, saturate))
      theirs.add(await countDelivered(load, plain, baseline.pid, saturateBaseline))
    }
    const [value, baselineMs] = [ours.msOfThousand(), theirs.msOfThousand()]
    const seconds = (rounds * roundMs) / 1_000
    const [own, raw] = [ours.commands() / seconds, theirs.commands() / seconds]
    return [
      {
        name: `to ${listeners} listeners, saturated`,
        unit: 'ms',
        value,
        baseline: baselineMs,
        goal: baselineMs,
      },
      { name: `commands a second to ${listeners}, saturated`, unit: '', value: own, baseline: raw },
    ]
  })
}

/** One owner commands ten times a second, so that what the server does besides counts for much. */
async function measureAtTenASecond(log: Log, load: Load): Promise<Figure[]> {
  return await withDefer(async (defer) => {
    const source = await openProductSource(defer, load, { group: 'product', listeners: 0 })
    const { pid } = source.server.app
    const figures: Figure[] = []
    for (const { listeners } of audiences) {
      await source.listenUpTo(listeners)
      const frames = await sampleFrames(load, source)
      const group = `baseline ${listeners}`
      const raw = await openBaselineSource(defer, load, { group, listeners, frames, journal: null })
      const send = () => commandAtTenASecond(source)
      const sendRaw = () => commandAtTenASecond(raw)
      await countDelivered(load, [source], pid, send)
      await countDelivered(load, [raw], raw.pid, sendRaw)
      log(`${listeners} listeners have joined; warm, measuring in alternate rounds`)
      const [ours, theirs] = [createSum(), createSum()]
      for (let round = 0; round < rounds; round += 1) {
        ours.add(await countDelivered(load, [source], pid, send))
        theirs.add(await countDelivered(load, [raw], raw.pid, sendRaw))
      }
      const [value, baseline] = [ours.msOfThousand(), theirs.msOfThousand()]
      figures.push({ name: `to ${listeners} listeners, at 10 a second`, unit: 'ms', value, baseline })
    }
    return figures
  })
}

/** For the first owner, who is in a room. Otherwise the server does so 30 s after its start, in the middle of a round. */
async function measureWaveform({ app, people, trackId }: ProductServer): Promise<void> {
  await callApi({ method: 'GET', url: `${app.url}/api/tracks/${trackId}/waveform`, ...takeAt(people, 0) })
}

interface Delivered {
  commands: number
  events: number
  processorMs: number
}

/** Sends commands. Counts what arrives and what it costs the server, from the first command on. */
async function countDelivered(
  load: Load,
  sources: readonly CommandSource[],
  pid: number,
  send: () => Promise<number>,
): Promise<Delivered> {
  for (const { group } of sources) await load.run('startRecording', { group })
  const before = readProcessorMs(pid)
  const commands = await send()
  await delay(stragglersMs)
  const processorMs = readProcessorMs(pid) - before
  let events = 0
  for (const { group } of sources) events += (await load.run('stopRecording', { group })).frames
  return { commands, events, processorMs }
}

async function commandAll(sources: readonly CommandSource[]): Promise<number> {
  const endsAtMs = performance.now() + roundMs
  const counts = await Promise.all(sources.map((source) => commandInTurn(source, { leastMs, endsAtMs })))
  return counts.reduce((sum, count) => sum + count, 0)
}

async function commandAtTenASecond(source: CommandSource): Promise<number> {
  const { commands, everyMs } = slowPace
  return (await runAtInterval(commands, everyMs, (index) => source.command(index))).length
}

function createSum() {
  const sum: Delivered = { commands: 0, events: 0, processorMs: 0 }
  return {
    add({ commands, events, processorMs }: Delivered): void {
      sum.commands += commands
      sum.events += events
      sum.processorMs += processorMs
    },
    commands: () => sum.commands,
    msOfThousand: () => (1_000 * sum.processorMs) / sum.events,
  }
}
