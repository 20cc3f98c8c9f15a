import { setTimeout as delay } from 'node:timers/promises'
import { withDefer } from './defer.ts'
import { measureOutage, measureWrongClocks } from './impaired/outage-and-clocks.ts'
import { measureLoss } from './impaired/packet-loss.ts'
import { returnAll } from './impaired/scenarios.ts'
import { measureAsymmetry, measureJitter, openProxied, setAll } from './impaired/bad-network.ts'
import { pause, play } from './listening/controls.ts'
import { settleMs } from './sound/command-cycles.ts'
import type { Measurement } from './measurement.ts'
import { jittery } from './network/bad-paths.ts'
import { calm } from './network/tcp-proxy.ts'

/** How far apart three people hear the same moment, of whom two have a bad network or a wrong clock. */
export const syncImpaired: Measurement = {
  name: 'sync-impaired',
  title: 'Skew between what three browsers sound, two of them with bad networks or wrong clocks',
  yardstick: 'of the asymmetric path, half of what its directions differ by: no clock can be known better',
  isLong: true,
  measure: async (say) => [
    ...(await withDefer(async (defer) => {
      const proxied = await openProxied(defer, jittery)
      const jitter = await measureJitter(proxied, say)
      await pause(proxied)
      const asymmetry = await measureAsymmetry(proxied, say)
      setAll(proxied, calm)
      await returnAll(proxied)
      await play(proxied)
      await delay(settleMs)
      const outage = await measureOutage(proxied, say)
      return [...jitter, ...asymmetry, ...outage, ...(await measureWrongClocks(proxied, say))]
    })),
    ...(await withDefer((defer) => measureLoss(defer, say))),
  ],
}
