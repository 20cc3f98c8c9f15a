import { setTimeout as delay } from 'node:timers/promises'
import { withDefer } from './defer.ts'
import { measureOutage, measureWrongClocks } from './impaired/outage-and-clocks.ts'
import { measureLoss } from './impaired/packet-loss.ts'
import { rejoinAll } from './impaired/scenarios.ts'
import {
  jittery,
  measureAsymmetry,
  measureJitter,
  openProxiedRoom,
  setAllConditions,
} from './impaired/bad-network.ts'
import { pause, play, settleMs } from './sound/command-cycles.ts'
import type { Measurement } from './measurement.ts'
import { calm } from './network/tcp-proxy.ts'

/** Measures the skew of three browsers, two of them with impaired networks or wrong clocks. */
export const syncImpaired: Measurement = {
  name: 'sync-impaired',
  title: 'Skew between what three browsers sound, two of them with bad networks or wrong clocks',
  baseline: 'of the asymmetric path, half of what its directions differ by: no clock can be known better',
  isLong: true,
  measure: async (log) => [
    ...(await withDefer(async (defer) => {
      const proxied = await openProxiedRoom(defer, jittery)
      const jitter = await measureJitter(proxied, log)
      await pause(proxied)
      const asymmetry = await measureAsymmetry(proxied, log)
      setAllConditions(proxied, calm)
      await rejoinAll(proxied)
      await play(proxied)
      await delay(settleMs)
      const outage = await measureOutage(proxied, log)
      return [...jitter, ...asymmetry, ...outage, ...(await measureWrongClocks(proxied, log))]
    })),
    ...(await withDefer((defer) => measureLoss(defer, log))),
  ],
}
