import { expect, it } from 'vitest'
import { ResumeLatency, positionAfter } from './resume-latency.ts'
import { addReading, type Playhead } from './spotify-playhead.ts'

const anchor = { positionMs: 10_000, atClientMs: 50_000 }

/** Two readings of a player that is late. */
function lagging(lateMs: number): Playhead {
  const read = (head: Playhead | null, atClientMs: number) =>
    addReading(head, { positionMs: positionAfter(anchor, atClientMs) - lateMs, atClientMs, isRunning: true })
  return read(read(null, 51_000), 51_250)
}

function after(...lateMs: number[]): number {
  const latency = new ResumeLatency()
  for (const each of lateMs) {
    latency.begin(anchor)
    latency.measure(lagging(each), 51_250)
  }
  return latency.meanMs
}

it('15.24 learns how long a resumed player takes to sound', () => {
  const [guess, late, early] = [after(), after(100), after(-40)]
  expect(late).toBe(guess + 50)
  expect(early).toBe(guess - 20)
  expect(after(100, 50, 25, 12, 6, 3, 1)).toBeGreaterThan(after(100))
})

it('15.24 ignores what can be no latency', () => {
  expect(after(2_000)).toBe(after())
  expect(after(-500)).toBe(after())
})

it('measures each start once, and only positions that can be trusted', () => {
  const latency = new ResumeLatency()
  latency.begin(anchor)
  latency.measure(addReading(null, { positionMs: 10_900, atClientMs: 51_000, isRunning: true }), 51_000)
  expect(latency.meanMs).toBe(after())
  latency.measure(lagging(100), 51_250)
  latency.measure(lagging(300), 51_250)
  expect(latency.meanMs).toBe(after(100))
})
