import { systemClock } from '../../server/src/clock.ts'
import type { Defer } from '../defer.ts'
import { runCycles } from '../sound/command-cycles.ts'
import { openTestRoom } from '../sound/test-room.ts'
import { allPairs, countTorn, skewFigures, summariseSkews } from '../sound/skew-figures.ts'
import type { Figure, Log } from '../measurement.ts'
import { openLossyLink, whyNoLossyLink } from '../network/lossy-link.ts'
import { startTcpProxy } from '../network/tcp-proxy.ts'
import { goals } from './scenarios.ts'

/** One packet in a hundred is lost, each way. */
export const lossyPath = { delayMs: 40, jitterMs: 10, stallEveryMs: null, stallMs: 0, lossRate: 0.01 }

const titles = ['Noise 2', 'Noise 3', 'Noise 4']
const tracks = ['Noise 1', ...titles].map((title) => ({ title, seconds: 60 }))
const seed = 7

/** Measures two listeners behind a network that loses packets. Skipped, with the reason, where it cannot be created. */
export async function measureLoss(defer: Defer, log: Log): Promise<Figure[]> {
  const reason = whyNoLossyLink()
  if (reason !== null) {
    log(`SKIPPED, loss of packets: ${reason}`)
    return []
  }
  log('40 ms +- 10 ms each way, one packet in a hundred lost')
  const browser = process.env['CHROMIUM_PATH']
  if (!browser) throw new Error('CHROMIUM_PATH must say which browser to start behind the link')
  const link = await openLossyLink(defer, { clock: systemClock, seed, conditions: lossyPath })
  const executablePath = link.wrap(browser)
  const testRoom = await openTestRoom(defer, {
    tracks,
    setups: async ({ url }) => {
      const targetPort = Number(new URL(url).port)
      const door = await startTcpProxy({ clock: systemClock, targetPort, seed, host: link.address })
      defer(() => door.close())
      const { origin } = door
      const args = [`--unsafely-treat-insecure-origin-as-secure=${origin}`]
      const setup = { origin, browser: { executablePath, args } }
      return [{}, setup, setup]
    },
  })
  const pairs = allPairs(await runCycles(testRoom, titles, log))
  return [
    ...skewFigures('loss', summariseSkews(pairs), { goal: goals.impairedMs }),
    { name: `loss, torn, of ${pairs.length}`, unit: '', value: countTorn(pairs) },
  ]
}
