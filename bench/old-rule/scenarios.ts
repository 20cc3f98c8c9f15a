import type { PersonOptions } from '@earshot/core/testing/simulation'
import { type Pair, device, nearby } from './pair.ts'

/** A script of commands and network events. Times in ms from the start. */
export interface Scenario {
  name: string
  /** Null where no rule can do well: half the difference of the two directions cannot be measured. */
  goalP95Ms: number | null
  listener: (seed: number) => PersonOptions
  acts: readonly { atMs: number; act: (pair: Pair) => void }[]
  untilMs: number
}

const onTime = { device, conditions: nearby, clockOffsetMs: 0, clockDriftPpm: 0 }
/** Half of the listeners are ahead, half behind. */
const signOf = (seed: number): number => (seed % 2 === 0 ? 1 : -1)

const join = { atMs: 0, act: (pair: Pair) => pair.join() }
const play = { atMs: 2_000, act: (pair: Pair) => pair.play() }

/** A start, a seek, a pause and another start, a seek back; half a minute of each. */
const evening: Pick<Scenario, 'acts' | 'untilMs'> = {
  acts: [
    join,
    play,
    { atMs: 32_000, act: (pair) => pair.seek(600_000) },
    { atMs: 62_000, act: (pair) => pair.pause() },
    { atMs: 64_000, act: (pair) => pair.play() },
    { atMs: 94_000, act: (pair) => pair.seek(60_000) },
  ],
  untilMs: 124_000,
}

export const scenarios: readonly Scenario[] = [
  { name: 'clean', goalP95Ms: 2, listener: (seed) => ({ ...onTime, seed }), ...evening },
  {
    name: '100 ms ±30 ms, stalls',
    goalP95Ms: 8,
    listener: (seed) => ({
      ...onTime,
      conditions: {
        ...nearby,
        upDelayMs: 70,
        downDelayMs: 70,
        jitterMs: 60,
        stallRate: 0.01,
        stallMs: 1_500,
      },
      seed,
    }),
    ...evening,
  },
  {
    // A lost message is resent after 250 ms, and later ones wait for it.
    name: '1 % loss',
    goalP95Ms: 8,
    listener: (seed) => ({
      ...onTime,
      conditions: {
        ...nearby,
        upDelayMs: 40,
        downDelayMs: 40,
        jitterMs: 10,
        stallRate: 0.01,
        stallMs: 250,
      },
      seed,
    }),
    ...evening,
  },
  {
    name: '20 ms up, 180 ms down',
    goalP95Ms: null,
    listener: (seed) => ({
      ...onTime,
      conditions: { ...nearby, upDelayMs: 20, downDelayMs: 180 },
      seed,
    }),
    ...evening,
  },
  {
    name: 'clock an hour off',
    goalP95Ms: 2,
    listener: (seed) => ({ ...onTime, clockOffsetMs: signOf(seed) * 3_600_000, seed }),
    ...evening,
  },
  {
    name: 'clock 1.5 s off',
    goalP95Ms: 2,
    listener: (seed) => ({ ...onTime, clockOffsetMs: signOf(seed) * 1_500, seed }),
    ...evening,
  },
  {
    name: '100 ppm for 10 min',
    goalP95Ms: 2,
    listener: (seed) => ({ ...onTime, clockDriftPpm: signOf(seed) * 100, seed }),
    acts: [join, play],
    untilMs: 602_000,
  },
  {
    name: 'late joiner',
    goalP95Ms: 2,
    listener: (seed) => ({ ...onTime, seed }),
    acts: [play, { ...join, atMs: 62_000 }],
    untilMs: 122_000,
  },
  {
    name: 'reconnect after 5 s',
    goalP95Ms: 2,
    listener: (seed) => ({ ...onTime, seed }),
    acts: [
      join,
      play,
      { atMs: 32_000, act: (pair) => pair.cutOff() },
      { atMs: 34_000, act: (pair) => pair.seek(600_000) },
      { atMs: 37_000, act: (pair) => pair.reconnect() },
    ],
    untilMs: 122_000,
  },
]
