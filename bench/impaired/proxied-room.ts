import { systemClock } from '../../server/src/clock/server-clock.ts'
import type { Defer } from '../defer.ts'
import { calmPath, type PathConditions } from '../network/delay-line.ts'
import { startTcpProxy, type Conditions, type TcpProxy } from '../network/tcp-proxy.ts'
import { openTestRoom, type NoiseTrack, type ParticipantSetup, type TestRoom } from '../sound/test-room.ts'

/** A test room whose two listeners each reach the server through a proxy of their own. */
export interface ProxiedRoom extends TestRoom {
  proxies: [TcpProxy, TcpProxy]
}

/** 100 ms +- 30 ms each way, with stalls: a distant listener on a poor connection. */
const jitteryPath: PathConditions = { delayMs: 100, jitterMs: 30, stallEveryMs: 8_000, stallMs: 300 }
export const jittery: Conditions = { up: jitteryPath, down: jitteryPath }

/** A round trip of 400 ms, steady. */
const distantPath: PathConditions = { ...calmPath, delayMs: 200, jitterMs: 2 }
export const distant: Conditions = { up: distantPath, down: distantPath }

/** A satellite down, a telephone line up. No clock can measure the difference. */
export const asymmetric: Conditions = {
  up: { ...calmPath, delayMs: 20, jitterMs: 2 },
  down: { ...calmPath, delayMs: 180, jitterMs: 2 },
}

/** Opens a room over impaired paths, over which the listeners also load the page and the music. */
export async function openProxiedRoom(
  defer: Defer,
  options: { conditions: Conditions; tracks: NoiseTrack[]; setup?: ParticipantSetup },
): Promise<ProxiedRoom> {
  const { conditions, tracks, setup } = options
  const open: { proxies?: [TcpProxy, TcpProxy] } = {}
  const testRoom = await openTestRoom(defer, {
    tracks,
    setups: async ({ url }) => {
      const start = async (seed: number) => {
        const targetPort = Number(new URL(url).port)
        const proxy = await startTcpProxy({ clock: systemClock, targetPort, seed, conditions })
        defer(() => proxy.close())
        return proxy
      }
      open.proxies = [await start(1), await start(100_000)]
      return [{}, ...open.proxies.map(({ origin }) => ({ ...setup, origin }))]
    },
  })
  if (!open.proxies) throw new Error('The proxies were not started')
  return { ...testRoom, proxies: open.proxies }
}
