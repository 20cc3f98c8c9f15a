import type { Load } from '../load/load.ts'
import { type LoopDelay, toLoopDelay } from '../load/loop-delay.ts'
import type { Figure } from '../measurement.ts'
import { readMachineMs, readProcessorMs } from './process-cost.ts'

/** Whose work a window of a measurement consists of. */
export interface StrainOf {
  server: { url: string; pid: number }
  /** The processes with the connections. */
  loads: Load[]
}

/**
 * How busy the processes were in a window, and how late their event loops ran. A late loop in a process that used
 * much of a core is its own doing; in one that used little, other programs kept the processor.
 */
export interface Strain {
  /** Of one core, percent. */
  serverPercent: number
  loadsPercent: number
  othersPercent: number
  server: LoopDelay
  /** Of the load processes the worst. */
  loads: LoopDelay
}

/** Begins a window. The returned function ends it. */
export async function watchStrain({ server, loads }: StrainOf): Promise<() => Promise<Strain>> {
  const readDelays = () => Promise.all(loads.map((load) => load.run('readLoopDelay', null)))
  await Promise.all([readServerLoopDelay(server.url), readDelays()])
  const before = readProcessors(server.pid, loads)
  return async () => {
    const after = readProcessors(server.pid, loads)
    const percent = (name: keyof typeof after) =>
      ((after[name] - before[name]) / (after.atMs - before.atMs)) * 100
    const [ofServer, delays] = await Promise.all([readServerLoopDelay(server.url), readDelays()])
    const [serverPercent, loadsPercent] = [percent('serverMs'), percent('loadsMs')]
    return {
      serverPercent,
      loadsPercent,
      othersPercent: Math.max(0, percent('machineMs') - serverPercent - loadsPercent),
      server: ofServer,
      loads: {
        p99Ms: Math.max(0, ...delays.map(({ p99Ms }) => p99Ms)),
        maxMs: Math.max(0, ...delays.map(({ maxMs }) => maxMs)),
      },
    }
  }
}

/** Returns the figures of a window, for the table beside its latencies. */
export function strainFigures(name: string, strain: Strain): Figure[] {
  return [
    { name: `${name}, processor of the server`, unit: '%', value: strain.serverPercent },
    { name: `${name}, processor of the load`, unit: '%', value: strain.loadsPercent },
    { name: `${name}, processor of other programs`, unit: '%', value: strain.othersPercent },
    { name: `${name}, event loop of the server, p99`, unit: 'ms', value: strain.server.p99Ms },
    { name: `${name}, event loop of the server, max`, unit: 'ms', value: strain.server.maxMs },
    { name: `${name}, event loop of the load, max`, unit: 'ms', value: strain.loads.maxMs },
  ]
}

function readProcessors(serverPid: number, loads: Load[]) {
  return {
    atMs: performance.now(),
    serverMs: readProcessorMs(serverPid),
    // With this process, which sends the commands.
    loadsMs: loads.reduce((sum, { pid }) => sum + readProcessorMs(pid), readProcessorMs(process.pid)),
    machineMs: readMachineMs(),
  }
}

/** Each reading of the server's metrics begins a new window of these. */
async function readServerLoopDelay(url: string): Promise<LoopDelay> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const read = (name: string): number => {
    const seconds = new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, 'm').exec(text)?.[1]
    if (seconds === undefined) throw new Error("The server's metrics have no delay of its event loop")
    return Number(seconds) * 1_000
  }
  return toLoopDelay(read('p99'), read('max'))
}
