import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Load } from '../load/load.ts'
import { monotonicMs } from '../load/monotonic.ts'
import type { Figure } from '../measurement.ts'
import type { Owner } from '../product/owner-client.ts'
import { readResidentKb } from '../product/process-cost.ts'
import type { ProductServer } from '../product/product-server.ts'
import { summarise } from '../report/statistics.ts'

/** The server whose probes are measured. */
export interface ProbedServer {
  server: ProductServer
  load: Load
  owner: Owner
}

/** Something that a server may be busy with while its clock is probed. */
export interface ProbeScenario {
  name: string
  /** Begins it. The returned function ends it and resolves to further figures. */
  begin(probed: ProbedServer): Promise<() => Promise<Figure[]>>
}

const root = join(import.meta.dirname, '..', '..')
const lockedMs = 6_000
const lockScript = 'server/test/children/hold-lock.ts'
const databaseFile = 'earshot.sqlite'

/** Another process takes the write lock, as a backup does, and the owner sends a command. */
const writeLock: ProbeScenario = {
  name: `write lock of ${lockedMs / 1_000} s`,
  async begin({ server, owner }) {
    const path = join(server.app.dataDir, databaseFile)
    const child = spawn(process.execPath, [lockScript, path, String(lockedMs)], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    const sentMs = monotonicMs()
    const answered = owner.command('play').then(() => monotonicMs() - sentMs)
    return async () => {
      await ended
      const commandMs = await answered
      await owner.command('pause')
      return [{ name: 'command during the lock', unit: 'ms', value: commandMs }]
    }
  },
}

/** Everybody searches the library, twice a second. */
const searches: ProbeScenario = {
  name: 'searches',
  async begin({ server, load }) {
    await load.run('startSearches', { url: server.app.url, people: server.people })
    return async () => {
      const answered = summarise(await load.run('stopSearches', null))
      const residentMb = readResidentKb(server.app.pid) / 1_024
      return [
        { name: 'a search p50', unit: 'ms', value: answered.p50 },
        { name: 'a search p99', unit: 'ms', value: answered.p99, goal: 20 },
        { name: 'memory of the server', unit: 'MB', value: residentMb, goal: 300 },
      ]
    }
  },
}

export const probeScenarios: ProbeScenario[] = [writeLock, searches]
