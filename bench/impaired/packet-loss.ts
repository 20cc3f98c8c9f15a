import { systemClock } from '../../server/src/clock/server-clock.ts'
import { openLossyLink } from '../network/lossy-link.ts'
import { startTcpProxy } from '../network/tcp-proxy.ts'
import type { Scenario } from '../sound/scenario.ts'
import { openTestRoom } from '../sound/test-room.ts'
import { playEverything, tracks } from '../sound/transitions.ts'

/** One packet in a hundred is lost, each way. */
const lossyPath = { delayMs: 40, jitterMs: 10, stallEveryMs: null, stallMs: 0, lossRate: 0.01 }
const seed = 7

/** Two listeners behind a network that loses packets. `whyNoLossyLink` says where it cannot be created. */
export const packetLoss: Scenario = {
  name: '1 % of packets lost',
  open: async (defer) => {
    const browser = process.env['CHROMIUM_PATH']
    if (!browser) throw new Error('CHROMIUM_PATH must say which browser to start behind the link')
    const link = await openLossyLink(defer, { clock: systemClock, seed, conditions: lossyPath })
    const executablePath = link.wrap(browser)
    return openTestRoom(defer, {
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
  },
  script: playEverything,
}
