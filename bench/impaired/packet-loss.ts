import { systemClock } from '../../server/src/clock.ts'
import type { Defer } from '../defer.ts'
import { runCycles } from '../sound/command-cycles.ts'
import { openGathering } from '../sound/test-room.ts'
import { allPairs, countTorn, skewFigures, summariseSkews } from '../sound/skew-figures.ts'
import type { Figure } from '../measurement.ts'
import { lossyPath } from '../network/bad-paths.ts'
import { openLossyLink, whyNoLossyLink } from '../network/lossy-link.ts'
import { startTcpProxy } from '../network/tcp-proxy.ts'
import { goals, type Say } from './scenarios.ts'

const titles = ['Noise 2', 'Noise 3', 'Noise 4']
const tracks = ['Noise 1', ...titles].map((title) => ({ title, seconds: 60 }))
const seed = 7

/** Two listeners in a network of their own, whose packets get lost. Where no such network can be made, it says why. */
export async function measureLoss(defer: Defer, say: Say): Promise<Figure[]> {
  const reason = whyNoLossyLink()
  if (reason !== null) {
    say(`SKIPPED, loss of packets: ${reason}`)
    return []
  }
  say('40 ms +- 10 ms each way, one packet in a hundred lost')
  const browser = process.env['CHROMIUM_PATH']
  if (!browser) throw new Error('CHROMIUM_PATH must say which browser to start behind the link')
  const link = await openLossyLink(defer, { clock: systemClock, seed, conditions: lossyPath })
  const executablePath = link.wrap(browser)
  const gathering = await openGathering(defer, {
    tracks,
    seats: async ({ url }) => {
      const targetPort = Number(new URL(url).port)
      const door = await startTcpProxy({ clock: systemClock, targetPort, seed, host: link.address })
      defer(() => door.close())
      const { origin } = door
      const args = [`--unsafely-treat-insecure-origin-as-secure=${origin}`]
      const seat = { origin, browser: { executablePath, args } }
      return [{}, seat, seat]
    },
  })
  const pairs = allPairs(await runCycles(gathering, titles, say))
  return [
    ...skewFigures('loss', summariseSkews(pairs), { goal: goals.impairedMs }),
    { name: `loss, torn, of ${pairs.length}`, unit: '', value: countTorn(pairs) },
  ]
}
