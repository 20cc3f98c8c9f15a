import { setTimeout as delay } from 'node:timers/promises'
import type { Conditions } from '../network/tcp-proxy.ts'
import type { Scenario } from '../sound/scenario.ts'
import { pause, play, playEverything, playNext, seekAhead, tracks } from '../sound/transitions.ts'
import { asymmetric, distant, jittery, openProxiedRoom, type ProxiedRoom } from './proxied-room.ts'

const behind =
  (conditions: Conditions): Scenario<ProxiedRoom>['open'] =>
  (defer) =>
    openProxiedRoom(defer, { conditions, tracks })

/** Both listeners 100 ms +- 30 ms each way from the server, with stalls. */
export const jitter: Scenario<ProxiedRoom> = {
  name: '100 +- 30 ms',
  open: behind(jittery),
  script: playEverything,
}

/** Both listeners 20 ms up and 180 ms down. */
export const asymmetry: Scenario<ProxiedRoom> = {
  name: '20 ms up, 180 ms down',
  open: behind(asymmetric),
  script: async (session) => {
    await play(session)
    await delay(15_000)
    await seekAhead(session)
    await delay(5_000)
    await playNext(session, 'Noise 2')
    await delay(5_000)
    await pause(session)
  },
}

/** All connections of a listener break in mid-track, and new ones are refused for 5 s. */
export const outage: Scenario<ProxiedRoom> = {
  name: '5 s offline',
  open: behind(jittery),
  script: async (session) => {
    const [proxy] = session.proxies
    await play(session)
    await delay(15_000)
    proxy.setReachable(false)
    await delay(5_000)
    proxy.setReachable(true)
    await delay(12_000)
  },
}

/** Both listeners reload in mid-track, 400 ms round trip from the server. */
export const reload: Scenario<ProxiedRoom> = {
  name: 'reload at 400 ms round trip',
  open: behind(distant),
  script: async (session) => {
    await play(session)
    await delay(12_000)
    for (const listener of [...session.listeners, ...session.listeners]) {
      await session.reopen(listener)
      await delay(7_000)
    }
  },
}

/** A listener's tab is really hidden and throttled, on the jittery path. */
export const hidden: Scenario<ProxiedRoom> = {
  name: 'hidden tab at 100 +- 30 ms',
  open: (defer) =>
    openProxiedRoom(defer, { conditions: jittery, tracks, setup: { browser: { isUnmodified: true } } }),
  script: async (session) => {
    const [listener] = session.listeners
    await play(session)
    await delay(5_000)
    const other = await listener?.context.newPage()
    await other?.bringToFront()
    if (!(await listener?.page.evaluate(() => document.hidden))) throw new Error('The tab is not hidden')
    await delay(30_000)
    await seekAhead(session)
    await delay(10_000)
    await playNext(session, 'Noise 2')
    await delay(15_000)
  },
}
