import type { App } from '@earshot/e2e/app'
import type { Browser } from '@earshot/e2e/browser'
import type { SoundServer } from '@earshot/e2e/sound/pulse'
import { setTimeout as delay } from 'node:timers/promises'
import type { Defer } from '../defer.ts'
import { openGathering, type Gathering } from './gathering.ts'
import { judgeSkew, recordAll, type MeasuredSkew, type Pair } from './heard.ts'

export { pause, play, seekAhead } from './controls.ts'
export { judgeSkew, type MeasuredSkew, type Pair } from './heard.ts'

/** Two people in one room, each at a browser of their own that sounds on a device of its own. */
export interface Couple extends Gathering {
  app: App
  sound: SoundServer
  listener: Browser
  /** The address of the room. */
  roomUrl: string
}

/** Starts everything: the server, the ears, the browsers; signs both up and puts a track on in a room. */
export async function openCouple(defer: Defer): Promise<Couple> {
  const gathering = await openGathering(defer, {
    tracks: [{ title: 'Noise', seconds: 400 }],
    seats: () => [{}, {}],
  })
  const [listener] = gathering.listeners
  if (!listener) throw new Error('There is no listener')
  return { ...gathering, listener, roomUrl: listener.roomUrl }
}

/** Records both while `work` runs. */
export async function recordDuring(sound: SoundServer, work: () => Promise<unknown>): Promise<Pair> {
  const [owner, listener] = await recordAll(sound, 2, work)
  if (!owner || !listener) throw new Error('Nothing was recorded')
  return { owner, listener }
}

/** The skew of a stretch that begins now. */
export async function measureSkewNow(sound: SoundServer, ms: number): Promise<MeasuredSkew> {
  return judgeSkew(await recordDuring(sound, () => delay(ms)))
}
