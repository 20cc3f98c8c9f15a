import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '@earshot/e2e/support/app'
import { makeNoiseWav } from '@earshot/e2e/sound/recording/noise-tracks'
import { startPostgres } from '../server/test/postgres.ts'
import { startRedis } from '../server/test/redis.ts'
import { type Defer, withDefer } from './defer.ts'
import { startLoad } from './load/load.ts'
import { type CommandSource, type Round, alternateRounds } from './load/rounds.ts'
import type { Figure, Measurement } from './measurement.ts'
import { connectOwner } from './product/owner-client.ts'
import { makeRoom, startProductServer, takeAt } from './product/product-server.ts'
import { summarise } from './report/statistics.ts'

const listeners = 100
const people = 21
const pace = { rounds: 5, commands: 40, everyMs: 60 }

/** Measures what it costs that the listeners are connected to another process than the owner. */
export const crossProcess: Measurement = {
  name: 'cross-process',
  title: `A command of the owner reaches ${listeners} listeners at another process`,
  baseline: 'the same server with PostgreSQL and Redis, with as many listeners at the process of the owner',
  isLong: true,
  measure: (log) =>
    withDefer(async (defer) => {
      const load = await startLoad()
      defer(() => load.stop())
      const env = await openEngines(defer)
      const server = await startProductServer(defer, { people, env })
      const other = await startApp({ env })
      defer(() => other.stop())
      const cookies = server.people.slice(1).map((person) => person.cookie)
      const openSource = async (group: string, url: string): Promise<CommandSource> => {
        const owner = takeAt(server.people, 0)
        const roomId = await makeRoom(server, owner)
        const remote = await connectOwner(server, owner, roomId)
        defer(() => remote.close())
        await load.run('open', { group, url, cookies, count: listeners })
        defer(() => load.run('close', { group }))
        await load.run('join', { group, roomIds: [roomId], isAtOnce: false })
        const command = async (index: number): Promise<number> =>
          (await remote.command(index % 2 === 0 ? 'play' : 'pause')).sequence_number
        return { group, listeners, command }
      }
      const sources = [await openSource('across', other.url), await openSource('same', server.app.url)]
      await alternateRounds(load, sources, { ...pace, rounds: 1 })
      log('warm; measuring in alternate rounds')
      const [across, same] = await alternateRounds(load, sources, pace)
      if (!across || !same) throw new Error('A round is missing')
      return toFigures(across, same)
    }),
}

/** PostgreSQL, Redis and what processes share, as environment variables. */
async function openEngines(defer: Defer): Promise<Record<string, string>> {
  const postgres = await startPostgres({ isDurable: true })
  defer(() => postgres.stop())
  const redis = await startRedis()
  defer(() => redis.stop())
  const musicDir = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  defer(() => rmSync(musicDir, { recursive: true, force: true }))
  writeFileSync(join(musicDir, 'noise.wav'), makeNoiseWav({ seconds: 5, title: 'Noise', seed: 1 }))
  const SECRET = randomBytes(32).toString('hex')
  return { DATABASE_URL: postgres.url, REDIS_URL: redis.url, MUSIC_DIR: musicDir, SECRET }
}

function toFigures(across: Round, same: Round): Figure[] {
  const name = { arrivedMs: 'at a listener', acknowledgedMs: 'acknowledged' } as const
  return (['arrivedMs', 'acknowledgedMs'] as const).flatMap((kind) => {
    const [own, base] = [summarise(across[kind]), summarise(same[kind])]
    return (['p50', 'p99'] as const).map((part) => ({
      name: `${name[kind]} ${part}`,
      unit: 'ms' as const,
      value: own[part],
      baseline: base[part],
    }))
  })
}
