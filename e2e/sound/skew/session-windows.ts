import { loudness, recordedRate } from '../recording/recording.ts'
import type { Sounds } from './sounds.ts'
import { createWindowComparison, type WindowSkew } from './window-skew.ts'

/** A listener's place in a recording. */
export type Person = number

/** The skew of two people in a window in which both sound. */
export interface PairSkew {
  between: [Person, Person]
  /** How much later the second sounds, ms; null where the two do not sound the same: torn, or other music. */
  lagMs: number | null
}

/** 40 ms of a session. */
export interface SessionWindow {
  /** Ms from the start of the recording. */
  fromMs: number
  /** Who sounds, by their place. */
  sounding: boolean[]
  /** One for each two people who sound. */
  pairs: PairSkew[]
}

export const windowMs = 40
const windowFrames = (windowMs / 1_000) * recordedRate
const silence = 0.005
/** In 40 ms different noise comes to 0.15; the same noise, played 0.3 % faster, to 0.4. */
const minCorrelation = 0.25

const near = createWindowComparison(windowFrames, (8_192 - windowFrames) / 2)
/** Slow, and therefore only for pairs that are further apart. */
const far = createWindowComparison(windowFrames, (65_536 - windowFrames) / 2)

/** Beyond this lag two sounds count as different, ms. */
export const maxLagMs = far.rangeMs
/** After this many windows in vain only one in as many is searched; the others count as different. */
const searchesInVain = 5

/** Judges a whole session in windows of 40 ms without gaps: every window, and in it every pair. */
export function* judgeSession(sounds: Sounds): Generator<SessionWindow> {
  const pairs = listPairs(sounds.people).map((between) => ({ between, inVain: 0 }))
  for (let from = 0; from + windowFrames <= sounds.frames; from += windowFrames) {
    const windows = Array.from({ length: sounds.people }, (_, person) =>
      readAround(sounds, person, from, near),
    )
    const sounding = windows.map(
      (samples) => loudness(samples.subarray(near.marginFrames, -near.marginFrames)) >= silence,
    )
    const prepared = windows.map((samples, person) => (sounding[person] ? near.prepare(samples) : null))
    yield {
      fromMs: (from / recordedRate) * 1_000,
      sounding,
      pairs: pairs.flatMap((pair): PairSkew[] => {
        const [first, second] = pair.between
        const [a, b] = [prepared[first], prepared[second]]
        if (!a || !b) return []
        const nearMs = lagOf(near.compare(a, b))
        const isSearched =
          nearMs === null && (pair.inVain < searchesInVain || pair.inVain % searchesInVain === 0)
        const lagMs = isSearched ? searchFar(sounds, pair.between, from) : nearMs
        pair.inVain = lagMs === null ? pair.inVain + 1 : 0
        return [{ between: pair.between, lagMs }]
      }),
    }
  }
}

/** Every two people, the lower place first. */
export const listPairs = (people: number): [Person, Person][] =>
  Array.from({ length: people }, (_, second) =>
    Array.from({ length: second }, (_unused, first): [Person, Person] => [first, second]),
  ).flat()

function searchFar(sounds: Sounds, [first, second]: [Person, Person], from: number): number | null {
  const [a, b] = [first, second].map((person) => far.prepare(readAround(sounds, person, from, far)))
  return a && b ? lagOf(far.compare(a, b)) : null
}

function readAround(
  sounds: Sounds,
  person: Person,
  from: number,
  { marginFrames }: { marginFrames: number },
) {
  return sounds.read(person, from - marginFrames, windowFrames + 2 * marginFrames)
}

function lagOf({ lagMs, correlation }: WindowSkew): number | null {
  return correlation < minCorrelation ? null : lagMs
}
