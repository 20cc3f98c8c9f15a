import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../server/src/clock.ts'
import type { Defer } from '../defer.ts'
import { play, runCycles, settleMs } from '../sound/command-cycles.ts'
import { openTestRoom, type TestRoom } from '../sound/test-room.ts'
import { joinFigures, timeJoins } from '../sound/late-join.ts'
import { allPairs, countTorn, skewFigures, summariseSkews } from '../sound/skew-figures.ts'
import type { Figure, Log } from '../measurement.ts'
import { startTcpProxy, type Conditions, type TcpProxy } from '../network/tcp-proxy.ts'
import { goals, rejoinAll } from './scenarios.ts'
import { calmPath, type PathConditions } from '../network/delay-line.ts'

/** A distant listener on a poor connection: 100 ms +- 30 ms each way, with stalls. */
const jitteryPath: PathConditions = { delayMs: 100, jitterMs: 30, stallEveryMs: 8_000, stallMs: 300 }
export const jittery: Conditions = { up: jitteryPath, down: jitteryPath }

/** A satellite down, a telephone line up. No clock can measure the difference. */
export const asymmetric: Conditions = {
  up: { ...calmPath, delayMs: 20, jitterMs: 2 },
  down: { ...calmPath, delayMs: 180, jitterMs: 2 },
}

/** The least error of a clock that is measured over the asymmetric path. */
export const asymmetryErrorMs = (asymmetric.down.delayMs - asymmetric.up.delayMs) / 2

/** A test room whose two listeners each reach the server through a proxy of their own. */
export interface ProxiedRoom extends TestRoom {
  proxies: TcpProxy[]
}

const titles = ['Noise 2', 'Noise 3', 'Noise 4', 'Noise 5', 'Noise 6']
const tracks = ['Noise 1', ...titles].map((title, index) => ({
  title,
  seconds: index === titles.length ? 300 : 60,
}))

/** Opens the room over impaired paths, over which the listeners also load the page and the music. */
export async function openProxiedRoom(defer: Defer, conditions: Conditions): Promise<ProxiedRoom> {
  const proxies: TcpProxy[] = []
  const testRoom = await openTestRoom(defer, {
    tracks,
    setups: async ({ url }) => {
      const targetPort = Number(new URL(url).port)
      for (const seed of [1, 100_000]) {
        const proxy = await startTcpProxy({ clock: systemClock, targetPort, seed, conditions })
        defer(() => proxy.close())
        proxies.push(proxy)
      }
      return [{}, ...proxies.map(({ origin }) => ({ origin }))]
    },
  })
  return { ...testRoom, proxies }
}

export function setAllConditions({ proxies }: ProxiedRoom, conditions: Conditions): void {
  for (const proxy of proxies) proxy.setConditions(conditions)
}

/** Measures the jittery path. Ends playing. */
export async function measureJitter(proxied: ProxiedRoom, log: Log): Promise<Figure[]> {
  log('100 ms +- 30 ms each way, with stalls')
  setAllConditions(proxied, jittery)
  const pairs = allPairs(await runCycles(proxied, titles.slice(0, 3), log))
  await play(proxied)
  await delay(settleMs)
  const joins = await timeJoins(proxied, 1, log)
  return [
    ...skewFigures('jitter', summariseSkews(pairs), { goal: goals.impairedMs }),
    { name: `jitter, torn, of ${pairs.length}`, unit: '', value: countTorn(pairs) },
    ...joinFigures('jitter, late joiner', joins),
  ]
}

/** Measures the listeners' asymmetric path: 20 ms up, 180 ms down. Begins and ends paused. */
export async function measureAsymmetry(proxied: ProxiedRoom, log: Log): Promise<Figure[]> {
  log('20 ms up, 180 ms down')
  setAllConditions(proxied, asymmetric)
  await rejoinAll(proxied)
  const pairs = allPairs(await runCycles(proxied, titles.slice(3), log))
  const withOwner = pairs.filter(({ between }) => between.includes(0))
  const among = pairs.filter(({ between }) => !between.includes(0))
  return [
    ...skewFigures('asymmetric, among those behind it', summariseSkews(among), { goal: goals.impairedMs }),
    {
      name: 'asymmetric, to the owner p95',
      unit: 'ms',
      value: summariseSkews(withOwner).p95,
      baseline: asymmetryErrorMs,
    },
    { name: `asymmetric, torn, of ${pairs.length}`, unit: '', value: countTorn(pairs) },
  ]
}
