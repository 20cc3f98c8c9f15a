import { expect, it, vi } from 'vitest'
import { bytes, kB, openRangeFileForEach, settle } from '../../testing/range-server.ts'

const opened = openRangeFileForEach()

const read = (start: number, end: number) => settle(opened.file.read(start, end))

const rate = 96_000
const elsewhere = 20_000_000

/** Plays the start on a line that carries a little more than is played, with a request under way. */
async function playOnSlowLine(): Promise<void> {
  await read(0, 100)
  opened.server.bytesPerSecond = 1.3 * rate
  opened.file.readAhead(120 * rate, { bytesPerSecond: rate, isPlaying: true })
  await vi.advanceTimersByTimeAsync(1_000)
}

it('17.281 a seek does not wait for a request of the place before that hangs', async () => {
  await read(0, 100)
  opened.server.isStalled = true
  const left = opened.file.read(5_000_000, 5_000_100)
  await vi.advanceTimersByTimeAsync(1_000)
  opened.server.isStalled = false
  const count = opened.server.requests.length
  const fromMs = performance.now()
  opened.file.leavePlace()
  expect(await read(elsewhere, elsewhere + 100)).toEqual(bytes.slice(elsewhere, elsewhere + 100))
  // A decoder that still waits at the place before gets what it needs, after that, and no more.
  expect(await settle(left)).toEqual(bytes.slice(5_000_000, 5_000_100))
  expect(performance.now() - fromMs).toBeLessThan(500)
  const [first, second] = opened.server.requests.slice(count)
  expect(first?.start).toBeGreaterThan(elsewhere - 8 * kB)
  expect((second?.end ?? 0) - (second?.start ?? 0)).toBe(8 * kB)
})

it('17.281 a seek on a slow line asks for little at first, and has the line for itself', async () => {
  await playOnSlowLine()
  const count = opened.server.requests.length
  const fromMs = performance.now()
  opened.file.leavePlace()
  await read(elsewhere, elsewhere + 100)
  const since = opened.server.requests.slice(count)
  expect(since[0]?.untilMs).toBeLessThan(fromMs + 400)
  expect(since.filter(({ start }) => start < elsewhere - 8 * kB)).toEqual([])
})

it('17.281 a seek to what is already asked for asks for nothing again', async () => {
  await playOnSlowLine()
  const { start, untilMs } = opened.server.requests.at(-1) ?? { start: 0, untilMs: 0 }
  expect(untilMs).toBe(Infinity)
  const count = opened.server.requests.length
  opened.file.leavePlace()
  expect(await read(start, start + 100)).toEqual(bytes.slice(start, start + 100))
  expect(opened.server.requests.slice(count).filter((request) => request.start <= start)).toEqual([])
})
