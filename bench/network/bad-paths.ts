import { calmPath, type PathConditions } from './delay-line.ts'
import type { Conditions } from './tcp-proxy.ts'

/** A far away listener on a poor connection: 100 ms +- 30 ms each way, and now and then it stands still. */
const jitteryPath: PathConditions = { delayMs: 100, jitterMs: 30, stallEveryMs: 8_000, stallMs: 300 }
export const jittery: Conditions = { up: jitteryPath, down: jitteryPath }

/** A satellite down, a telephone line up: no clock can know by how much the two differ. */
export const asymmetric: Conditions = {
  up: { ...calmPath, delayMs: 20, jitterMs: 2 },
  down: { ...calmPath, delayMs: 180, jitterMs: 2 },
}

/** What a clock that is measured over the asymmetric path is off by, at best. */
export const asymmetryErrorMs = (asymmetric.down.delayMs - asymmetric.up.delayMs) / 2

/** One packet in a hundred is lost, each way. */
export const lossyPath = { delayMs: 40, jitterMs: 10, stallEveryMs: null, stallMs: 0, lossRate: 0.01 }
