import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Load } from '../load/load.ts'
import { monotonicMs } from '../load/monotonic.ts'
import type { Figure } from '../measurement.ts'
import { callApi } from '../product/http-client.ts'
import type { Owner } from '../product/owner-client.ts'
import { readResidentKb } from '../product/process-cost.ts'
import { type ProductServer, takeAt } from '../product/product-server.ts'
import { summarise } from '../report/statistics.ts'
import { writeTaggedFiles } from './tagged-files.ts'

/** The server whose probes are measured. */
interface ProbedServer {
  server: ProductServer
  load: Load
  owner: Owner
}

/** Something that a server may be busy with while its clock is probed. */
export interface ProbeScenario {
  name: string
  begin(probed: ProbedServer): Promise<RunningScenario>
}

interface RunningScenario {
  /** Whether it goes on by itself, so that another round of probes is due. Default: it does not. */
  isGoingOn?(): Promise<boolean>
  /** Ends it; resolves to further figures. */
  end(): Promise<Figure[]>
}

const root = join(import.meta.dirname, '..', '..')
const lockedMs = 6_000
const scannedFiles = 100_000
const maxResidentMb = 300
const lockScript = 'server/test/children/hold-lock.ts'
const databaseFile = 'earshot.sqlite'

/** Another process takes the write lock, as a backup does, and the owner sends a command. */
const writeLock: ProbeScenario = {
  name: `write lock of ${lockedMs / 1_000} s`,
  async begin({ server, owner }) {
    const path = join(server.app.dataDir, databaseFile)
    const child = spawn(process.execPath, [lockScript, path], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    setTimeout(() => child.stdin.end(), lockedMs)
    const sentMs = monotonicMs()
    const answered = owner.command('play').then(() => monotonicMs() - sentMs)
    return {
      async end() {
        await ended
        const commandMs = await answered
        if (commandMs < lockedMs / 2) throw new Error('The command did not meet the lock')
        await owner.command('pause')
        return [{ name: 'command during the lock', unit: 'ms', value: commandMs }]
      },
    }
  },
}

/** Everybody searches the library, twice a second. */
const searches: ProbeScenario = {
  name: 'searches',
  async begin({ server, load }) {
    await load.run('startSearches', { url: server.app.url, people: server.people })
    return {
      async end() {
        const answered = summarise(await load.run('stopSearches', null))
        return [
          { name: 'a search p50', unit: 'ms', value: answered.p50 },
          { name: 'a search p99', unit: 'ms', value: answered.p99, goal: 20 },
          { name: 'memory of the server', unit: 'MB', value: residentMb(server), goal: maxResidentMb },
        ]
      },
    }
  },
}

/** As many files appear in the music folder as the library has tracks. */
const scan: ProbeScenario = {
  name: `scan of ${scannedFiles} files`,
  async begin({ server }) {
    const staging = `${server.musicDir}-new`
    writeTaggedFiles(staging, scannedFiles)
    const sentMs = monotonicMs()
    renameSync(staging, join(server.musicDir, 'new'))
    while (!(await isScanning(server))) await delay(50)
    return {
      isGoingOn: () => isScanning(server),
      async end() {
        const scanMs = monotonicMs() - sentMs
        const afterMb = residentMb(server)
        rmSync(join(server.musicDir, 'new'), { recursive: true })
        return [
          { name: 'the scan', unit: 'ms', value: scanMs },
          { name: 'memory after the scan', unit: 'MB', value: afterMb, goal: maxResidentMb },
        ]
      },
    }
  },
}

async function isScanning({ app, people }: ProductServer): Promise<boolean> {
  const url = `${app.url}/api/library/recent-albums`
  const { body } = await callApi({ method: 'GET', url, cookie: takeAt(people, 0).cookie })
  return (body as { isScanning: boolean }).isScanning
}

const residentMb = ({ app }: ProductServer): number => readResidentKb(app.pid) / 1_024

export const probeScenarios: ProbeScenario[] = [writeLock, searches, scan]
