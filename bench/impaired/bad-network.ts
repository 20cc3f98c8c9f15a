import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../server/src/clock.ts'
import type { Defer } from '../defer.ts'
import { play } from '../listening/controls.ts'
import { runCycles, settleMs } from '../sound/command-cycles.ts'
import { openGathering, type Gathering } from '../sound/test-room.ts'
import { joinFigures, timeJoins } from '../sound/late-join.ts'
import { allPairs, countTorn, skewFigures, summariseSkews } from '../sound/skew-figures.ts'
import type { Figure } from '../measurement.ts'
import { asymmetric, asymmetryErrorMs, jittery } from '../network/bad-paths.ts'
import { startTcpProxy, type Conditions, type TcpProxy } from '../network/tcp-proxy.ts'
import { goals, returnAll, type Say } from './scenarios.ts'

/** Three people, of whom the two listeners reach the server through a proxy of their own. */
export interface Proxied extends Gathering {
  proxies: TcpProxy[]
}

const titles = ['Noise 2', 'Noise 3', 'Noise 4', 'Noise 5', 'Noise 6']
const tracks = ['Noise 1', ...titles].map((title, index) => ({
  title,
  seconds: index === titles.length ? 300 : 60,
}))

/** Opens the room over bad paths: the listeners also load the page and the music over them. */
export async function openProxied(defer: Defer, conditions: Conditions): Promise<Proxied> {
  const proxies: TcpProxy[] = []
  const gathering = await openGathering(defer, {
    tracks,
    seats: async ({ url }) => {
      const targetPort = Number(new URL(url).port)
      for (const seed of [1, 100_000]) {
        const proxy = await startTcpProxy({ clock: systemClock, targetPort, seed, conditions })
        defer(() => proxy.close())
        proxies.push(proxy)
      }
      return [{}, ...proxies.map(({ origin }) => ({ origin }))]
    },
  })
  return { ...gathering, proxies }
}

export function setAll({ proxies }: Proxied, conditions: Conditions): void {
  for (const proxy of proxies) proxy.setConditions(conditions)
}

/** 100 ms +- 30 ms each way, with stalls. It ends playing. */
export async function measureJitter(proxied: Proxied, say: Say): Promise<Figure[]> {
  say('100 ms +- 30 ms each way, with stalls')
  setAll(proxied, jittery)
  const pairs = allPairs(await runCycles(proxied, titles.slice(0, 3), say))
  await play(proxied)
  await delay(settleMs)
  const joins = await timeJoins(proxied, 1, say)
  return [
    ...skewFigures('jitter', summariseSkews(pairs), { goal: goals.impairedMs }),
    { name: `jitter, torn, of ${pairs.length}`, unit: '', value: countTorn(pairs) },
    ...joinFigures('jitter, late joiner', joins),
  ]
}

/** 20 ms up and 180 ms down, for those who listen. It begins and ends with a pause. */
export async function measureAsymmetry(proxied: Proxied, say: Say): Promise<Figure[]> {
  say('20 ms up, 180 ms down')
  setAll(proxied, asymmetric)
  await returnAll(proxied)
  const pairs = allPairs(await runCycles(proxied, titles.slice(3), say))
  const withOwner = pairs.filter(({ between }) => between.includes(0))
  const among = pairs.filter(({ between }) => !between.includes(0))
  return [
    ...skewFigures('asymmetric, among those behind it', summariseSkews(among), { goal: goals.impairedMs }),
    {
      name: 'asymmetric, to the owner p95',
      unit: 'ms',
      value: summariseSkews(withOwner).p95,
      yardstick: asymmetryErrorMs,
    },
    { name: `asymmetric, torn, of ${pairs.length}`, unit: '', value: countTorn(pairs) },
  ]
}
