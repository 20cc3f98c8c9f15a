import { setTimeout as delay } from 'node:timers/promises'
import { stage } from '@earshot/e2e/listening'
import { inSyncSince, skewOverTime } from '@earshot/e2e/sound/skew-over-time'
import { withDefer } from './defer.ts'
import {
  type Couple,
  type MeasuredSkew,
  measureSkewNow,
  openCouple,
  pause,
  play,
  recordDuring,
  seekAhead,
} from './listening/couple.ts'
import { measureFloor, prepareFloor } from './listening/floor.ts'
import type { Figure, Measurement } from './measurement.ts'
import { summarise } from './report/statistics.ts'

const cycles = 10
const floors = 6
const joins = 3
/** From the command to the recording, and how long that is. */
const settleMs = 1_000
const recordedMs = 2_500
const steadyMs = 60_000
const joinWatchedMs = 5_000
const inSyncMs = 5
const goals = { p95Ms: 5, joinMs: 1_500 }

/** How far apart two people hear the same moment of a track, by what their browsers really sounded. */
export const sync: Measurement = {
  name: 'sync',
  title: `Skew between what two browsers sound, ${cycles} times a start and a seek`,
  yardstick: 'the same browsers without the product, told the instant and scheduling the same noise for it',
  measure: (say) =>
    withDefer(async (defer) => {
      const couple = await openCouple(defer)
      say('both are in the room')
      const skews = await runCycles(couple, say)
      say(`playing on until ${steadyMs / 1_000} s after the last command`)
      await delay(steadyMs)
      const steady = await measureSkewNow(couple.sound, recordedMs)
      const joinedMs: number[] = []
      for (let join = 1; join <= joins; join += 1) joinedMs.push(await timeJoin(couple))
      say(`joined in mid-track, ms: ${joinedMs.map((ms) => ms.toFixed(0)).join(', ')}`)
      return toFigures({ skews, steady, joinedMs, floor: await runFloors(couple, say) })
    }),
}

/** Each cycle is a start and a seek, and gives the skew after each. */
async function runCycles(couple: Couple, say: (line: string) => void): Promise<MeasuredSkew[]> {
  const skews: MeasuredSkew[] = []
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    await play(couple)
    await delay(settleMs)
    const afterStart = await measureSkewNow(couple.sound, recordedMs)
    await seekAhead(couple)
    await delay(settleMs)
    const afterSeek = await measureSkewNow(couple.sound, recordedMs)
    skews.push(afterStart, afterSeek)
    const [start, seek] = [afterStart, afterSeek].map(({ medianMs }) => medianMs.toFixed(2))
    say(`cycle ${cycle}: ${start} ms after the start, ${seek} ms after the seek`)
    if (cycle < cycles) await pause(couple)
  }
  return skews
}

/** From the moment at which the listener's browser opens the room until it sounds in sync and stays so, ms. */
async function timeJoin({ sound, listener, roomUrl }: Couple): Promise<number> {
  await listener.page.goto('about:blank')
  await delay(settleMs)
  const pair = await recordDuring(sound, async () => {
    const opened = listener.page.goto(roomUrl)
    await delay(joinWatchedMs)
    await opened
  })
  const since = inSyncSince(skewOverTime(pair.owner, pair.listener), inSyncMs)
  if (since === null) {
    const shown = await stage(listener.page).innerText()
    throw new Error(`Whoever joined was not in sync after ${joinWatchedMs} ms; the page shows: ${shown}`)
  }
  return since
}

async function runFloors(couple: Couple, say: (line: string) => void): Promise<MeasuredSkew[]> {
  await pause(couple)
  await Promise.all([prepareFloor(couple.owner.page), prepareFloor(couple.listener.page)])
  const skews: MeasuredSkew[] = []
  for (let floor = 0; floor < floors; floor += 1) skews.push(await measureFloor(couple))
  say(`without the product, ms: ${skews.map(({ medianMs }) => medianMs.toFixed(2)).join(', ')}`)
  return skews
}

const sizeOf = (skews: MeasuredSkew[]) => summarise(skews.map(({ medianMs }) => Math.abs(medianMs)))

/** How much of the recorded time was not in sync: too far apart, or torn. In per cent. */
function shareOutOfSync(skews: MeasuredSkew[]): number {
  const parts = skews.flatMap(({ partsMs }) => partsMs)
  const out = parts.filter((lagMs) => lagMs === null || Math.abs(lagMs) > inSyncMs)
  return (out.length / parts.length) * 100
}

function toFigures(measured: {
  skews: MeasuredSkew[]
  steady: MeasuredSkew
  joinedMs: number[]
  floor: MeasuredSkew[]
}): Figure[] {
  const { skews, steady, joinedMs, floor } = measured
  const [ours, best, join] = [sizeOf(skews), sizeOf(floor), summarise(joinedMs)]
  return [
    { name: 'skew p50', unit: 'ms', value: ours.p50, yardstick: best.p50 },
    { name: 'skew p95', unit: 'ms', value: ours.p95, yardstick: best.p95, goal: goals.p95Ms },
    { name: 'skew max', unit: 'ms', value: ours.max, yardstick: best.max },
    {
      name: `time more than ${inSyncMs} ms apart`,
      unit: '%',
      value: shareOutOfSync(skews),
      yardstick: shareOutOfSync(floor),
    },
    { name: `skew after ${steadyMs / 1_000} s of steady play`, unit: 'ms', value: Math.abs(steady.medianMs) },
    { name: `late joiner within ${inSyncMs} ms, p50`, unit: 'ms', value: join.p50, goal: goals.joinMs },
    { name: `late joiner within ${inSyncMs} ms, max`, unit: 'ms', value: join.max },
  ]
}
