import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../server/test/free-port.ts'
import { nodeFlags, serverFlags } from '../tools/install.mjs'
import { withDefer } from './defer.ts'
import type { Measurement } from './measurement.ts'
import { summarise } from './report/statistics.ts'

const root = join(import.meta.dirname, '..')
const starts = 5
const goalMaxMs = 3_000
const pollEveryMs = 2
const giveUpAfterMs = 20_000

const smallestServer =
  "require('node:http').createServer((_, answer) => answer.end('ok')).listen(process.env.PORT, '127.0.0.1')"

/** Measures a start with everything installed and built and the database in place. */
export const startUp: Measurement = {
  name: 'start-up',
  title: `Warm start, from the command to a healthy GET /health, ${starts} times`,
  baseline: 'the smallest HTTP server that the same Node can be given as `node -e`',
  measure: (log) =>
    withDefer(async (defer) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
      defer(() => rmSync(dataDir, { recursive: true, force: true }))
      const args = [...nodeFlags, ...serverFlags, 'server/src/main.ts']
      await timeStart(args, dataDir) // the first start makes the database and the secret
      log('the data folder is there; starting both in turn')
      const ours: number[] = []
      const theirs: number[] = []
      for (let start = 0; start < starts; start += 1) {
        ours.push(await timeStart(args, dataDir))
        theirs.push(await timeStart(['-e', smallestServer], dataDir))
      }
      const [own, smallest] = [summarise(ours), summarise(theirs)]
      return [
        { name: 'p50', unit: 'ms', value: own.p50, baseline: smallest.p50 },
        { name: 'max', unit: 'ms', value: own.max, baseline: smallest.max, goal: goalMaxMs },
      ]
    }),
}

/** Starts Node with `args`, waits until /health answers, ends it, and resolves to the ms until the answer. */
async function timeStart(args: string[], dataDir: string): Promise<number> {
  const port = await findFreePort()
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' }
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env })
  try {
    await waitUntilHealthy(`http://127.0.0.1:${port}/health`, startedAt + giveUpAfterMs)
    return performance.now() - startedAt
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}

async function waitUntilHealthy(url: string, giveUpAt: number): Promise<void> {
  while (performance.now() < giveUpAt) {
    const answer = await fetch(url, { headers: { connection: 'close' } }).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.ok) return
    await delay(pollEveryMs)
  }
  throw new Error(`Nothing was healthy at ${url} within ${giveUpAfterMs} ms`)
}
