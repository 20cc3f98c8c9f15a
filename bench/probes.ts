import { withDefer } from './defer.ts'
import { startLoad } from './load/load.ts'
import type { Figure, Measurement } from './measurement.ts'
import { storeLargeLibrary } from './probes/large-library.ts'
import { openProber } from './probes/prober.ts'
import { probeScenarios } from './probes/scenarios.ts'
import { connectOwner } from './product/owner-client.ts'
import { makeRoom, startProductServer, takeAt } from './product/product-server.ts'
import { type Summary, summarise } from './report/statistics.ts'

const people = 20
const tracks = 100_000
const probedMs = 6_000
/** The most that a disturbance may add to the idle p99, ms. */
const allowedMs = 5

/** Measures how fast the server answers clock probes while it is busy with something else. */
export const probes: Measurement = {
  name: 'probes',
  title: `Clock probes of ${people} people, with ${tracks} tracks in the library`,
  baseline: 'the same probes just before, while the server is idle',
  measure: (log) =>
    withDefer(async (defer) => {
      const load = await startLoad()
      defer(() => load.stop())
      const server = await startProductServer(defer, { people })
      await storeLargeLibrary(server.app.dataDir, tracks)
      const person = takeAt(server.people, 0)
      const owner = await connectOwner(server, person, await makeRoom(server, person))
      defer(() => owner.close())
      const prober = await openProber(server)
      defer(() => prober.close())
      await prober.probe(probedMs / 3)
      log('warm; measuring each scenario after an idle round')
      const figures: Figure[] = []
      for (const scenario of probeScenarios) {
        const idle = summarise(await prober.probe(probedMs))
        const running = await scenario.begin({ server, load, owner })
        const roundTrips = await prober.probe(probedMs)
        while (await running.isGoingOn?.()) roundTrips.push(...(await prober.probe(probedMs)))
        const busy = summarise(roundTrips)
        figures.push(...toFigures(scenario.name, busy, idle), ...(await running.end()))
        log(`${scenario.name}: p99 ${busy.p99.toFixed(1)} ms, idle ${idle.p99.toFixed(1)} ms`)
      }
      return figures
    }),
}

function toFigures(name: string, busy: Summary, idle: Summary): Figure[] {
  return [
    { name: `${name}: probe p50`, unit: 'ms', value: busy.p50, baseline: idle.p50 },
    {
      name: `${name}: probe p99`,
      unit: 'ms',
      value: busy.p99,
      baseline: idle.p99,
      goal: idle.p99 + allowedMs,
    },
    { name: `${name}: probe max`, unit: 'ms', value: busy.max, baseline: idle.max },
  ]
}
