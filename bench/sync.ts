import { setTimeout as delay } from 'node:timers/promises'
import { withDefer } from './defer.ts'
import { hearAll, type HeardPair } from './listening/all-pairs.ts'
import { pause, play, playNext, seekAhead } from './listening/controls.ts'
import { measureFloor, prepareFloor } from './listening/floor.ts'
import { openGathering, type Gathering } from './listening/gathering.ts'
import { inSyncMs, timeJoin } from './listening/late-joiner.ts'
import {
  allPairs,
  countTorn,
  note,
  shareApart,
  skewFigures,
  summariseSkews,
  type Tally,
} from './listening/tally.ts'
import type { Figure, Measurement } from './measurement.ts'
import { summarise } from './report/statistics.ts'

const cycles = 6
const floors = 5
const joinsEach = 3
/** From the command to the recording, and how long that is. */
const settleMs = 1_000
const recordedMs = 2_500
const goals = { p95Ms: 2, joinMs: 1_500 }

const titleOf = (index: number) => `Noise ${index + 1}`
const tracks = Array.from({ length: cycles + 1 }, (_, index) => ({
  title: titleOf(index),
  seconds: index === cycles ? 200 : 60,
}))

/** How far apart three people hear the same moment of a track, by what their browsers really sounded. */
export const sync: Measurement = {
  name: 'sync',
  title: `Skew between what three browsers sound, ${cycles} times a start, a seek and a change of track`,
  yardstick: 'the same browsers without the product, told the instant and scheduling the same noise for it',
  measure: (say) =>
    withDefer(async (defer) => {
      const gathering = await openGathering(defer, { tracks, seats: () => [{}, {}, {}] })
      say('all are in the room')
      const tally = await runCycles(gathering, say)
      await play(gathering)
      await delay(settleMs)
      const joinedMs = await timeJoins(gathering)
      say(`joined in mid-track, ms: ${joinedMs.map((ms) => ms.toFixed(0)).join(', ')}`)
      return toFigures(tally, joinedMs, await runFloors(gathering, say))
    }),
}

/** Each cycle is a start, a seek and a change of track; everybody is heard after each. */
async function runCycles(gathering: Gathering, say: (line: string) => void): Promise<Tally> {
  const tally: Tally = new Map()
  const hear = async (occasion: string) => {
    await delay(settleMs)
    note(tally, occasion, await hearAll(gathering, recordedMs), say)
  }
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    await play(gathering)
    await hear('after a start')
    await seekAhead(gathering)
    await hear('after a seek')
    await playNext(gathering, titleOf(cycle + 1))
    await hear('after a change of track')
    await pause(gathering)
  }
  return tally
}

async function timeJoins(gathering: Gathering): Promise<number[]> {
  const joinedMs: number[] = []
  for (let join = 0; join < joinsEach; join += 1) {
    for (const joiner of gathering.listeners) joinedMs.push(await timeJoin(gathering, joiner))
  }
  return joinedMs
}

async function runFloors(gathering: Gathering, say: (line: string) => void): Promise<HeardPair[]> {
  await pause(gathering)
  await Promise.all([gathering.owner, ...gathering.listeners].map(({ page }) => prepareFloor(page)))
  const tally: Tally = new Map()
  for (let floor = 0; floor < floors; floor += 1) {
    note(tally, 'without the product', await measureFloor(gathering), say)
  }
  return allPairs(tally)
}

function toFigures(tally: Tally, joinedMs: number[], floor: HeardPair[]): Figure[] {
  const pairs = allPairs(tally)
  const join = summarise(joinedMs)
  return [
    ...skewFigures('skew', summariseSkews(pairs), { floor: summariseSkews(floor), goal: goals.p95Ms }),
    ...[...tally].map(([occasion, heard]): Figure => {
      return { name: `${occasion}, p95`, unit: 'ms', value: summariseSkews(heard).p95 }
    }),
    {
      name: `time more than ${inSyncMs} ms apart`,
      unit: '%',
      value: shareApart(pairs, inSyncMs),
      yardstick: shareApart(floor, inSyncMs),
    },
    {
      name: `torn, not compared, of ${pairs.length}`,
      unit: '',
      value: countTorn(pairs),
      yardstick: countTorn(floor),
    },
    { name: `late joiner within ${inSyncMs} ms, p50`, unit: 'ms', value: join.p50, goal: goals.joinMs },
    { name: `late joiner within ${inSyncMs} ms, max`, unit: 'ms', value: join.max },
  ]
}
