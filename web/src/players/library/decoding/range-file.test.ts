import { describe, expect, it, vi } from 'vitest'
import { bytes, kB, openRangeFileForEach, settle } from '../../testing/range-server.ts'
import { openRangeFile } from './range-file.ts'

const opened = openRangeFileForEach()

const read = (start: number, end: number) => settle(opened.file.read(start, end))

/** How far ahead of a position everything was fetched. */
function fetchedAhead(position: number): number {
  let reached = position
  for (const { start, end } of opened.server.requests.toSorted((a, b) => a.start - b.start)) {
    if (start <= reached) reached = Math.max(reached, end)
  }
  return reached - position
}

describe('reading', () => {
  it('10.5a fetches what is needed in small requests, and nothing twice', async () => {
    expect(await settle(opened.file.size())).toBe(bytes.length)
    expect(await read(100, 200)).toEqual(bytes.slice(100, 200))
    expect(await read(20_000_000, 20_000_300)).toEqual(bytes.slice(20_000_000, 20_000_300))
    expect(await read(20_000_000, 20_010_000)).toEqual(bytes.slice(20_000_000, 20_010_000))
    expect(await read(bytes.length - 4, bytes.length)).toEqual(bytes.slice(-4))
    const sizes = opened.server.requests.map(({ start, end }) => end - start)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(16 * kB)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(5 * 8 * kB)
  })

  it('16.88 fetches the end of the file beside its start, and reads it from there', async () => {
    const tailed = openRangeFile('/api/tracks/t/stream', { tailBytes: 16 * kB })
    opened.server.bytesPerSecond = 100 * kB
    await settle(tailed.size())
    const end = bytes.length
    expect(await settle(tailed.read(end - 4, end))).toEqual(bytes.slice(-4))
    expect(await settle(tailed.read(end - 9_000, end - 4))).toEqual(bytes.slice(end - 9_000, end - 4))
    expect(opened.server.requests.map(({ start }) => start).toSorted((a, b) => a - b)).toEqual([
      0,
      end - 16 * kB,
    ])
    expect(opened.server.most).toBe(2)
    // Browsers fetch the ranges of one file in their cache one after the other.
    expect(opened.server.requests.find(({ start }) => start > 0)?.cache).toBe('no-store')
    expect(await settle(tailed.read(end - 20_000, end))).toEqual(bytes.slice(end - 20_000))
    tailed.close()
  })

  it('10.5d fetches as much of the start as holds the tables of a long file', async () => {
    const long = openRangeFile('/api/tracks/t/stream', { headBytes: 11 * kB })
    await settle(long.size())
    expect(opened.server.requests.map(({ start, end }) => [start, end])).toEqual([[0, 16 * kB]])
    expect(await settle(long.read(9_000, 9_100))).toEqual(bytes.slice(9_000, 9_100))
    expect(opened.server.requests).toHaveLength(1)
    long.close()
  })

  it('16.88 reads the end like the rest where that failed', async () => {
    const tailed = openRangeFile('/api/tracks/t/stream', { tailBytes: 16 * kB })
    opened.server.failures = [416]
    await settle(tailed.size())
    expect(await settle(tailed.read(bytes.length - 4, bytes.length))).toEqual(bytes.slice(-4))
    tailed.close()
  })

  it('10.5a shares a request among reads of the same bytes', async () => {
    await settle(
      Promise.all([opened.file.size(), opened.file.read(0, 10), opened.file.read(5, 15), opened.file.size()]),
    )
    expect(opened.server.requests).toHaveLength(1)
  })

  it('10.6 is repeated while the server or the network fails', async () => {
    opened.server.failures = ['network', 503, 429, 'network', 502]
    const startedMs = performance.now()
    expect(await read(0, 10)).toEqual(bytes.slice(0, 10))
    const delays = 250 + 500 + 1_000 + 2_000 + 3_000
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(delays)
    expect(performance.now() - startedMs).toBeLessThan(delays + 500)
  })

  it('17.326 is repeated after 5 s where a connection hangs, and later each time', async () => {
    opened.server.isStalled = true
    const reading = opened.file.read(0, 10)
    while (opened.server.requests.length < 4) await vi.advanceTimersByTimeAsync(50)
    opened.server.isStalled = false
    await settle(reading)
    const [firstMs = 0, ...laterMs] = opened.server.requests.map(({ fromMs }) => fromMs)
    expect(laterMs.map((ms) => Math.round(ms - firstMs))).toEqual([5_250, 15_750, 31_750, 48_750])
  })

  it.each([401, 403, 404, 416, 200])('10.6 is refused with status %i', async (status) => {
    opened.server.failures = [status]
    await expect(read(0, 10)).rejects.toThrow(`refused with status ${status}`)
    expect(opened.server.requests).toHaveLength(0)
  })

  it('10.6 fails for a file that has changed', async () => {
    await read(0, 10)
    opened.server.tag = '"two"'
    await expect(read(1_000_000, 1_000_010)).rejects.toThrow('has changed')
  })

  it('10.6 ends when the file is closed', async () => {
    opened.server.failures = Array.from({ length: 1_000 }, () => 'network' as const)
    const reading = opened.file.read(0, 10)
    reading.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(1_000)
    opened.file.close()
    await expect(reading).rejects.toThrow('Closed')
    const left = opened.server.failures.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(opened.server.failures).toHaveLength(left)
  })
})

describe('reading ahead', () => {
  const playing = (bytesPerSecond: number) => ({ bytesPerSecond, isPlaying: true })
  /** MP3 with 192 kbit/s. */
  const rate = 24_000
  const megabit = 125_000

  it('10.5b keeps what it may in memory, and no more', async () => {
    await read(0, 100)
    opened.file.readAhead(10 * rate, playing(rate))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(fetchedAhead(100)).toBeGreaterThanOrEqual(10 * rate)
    expect(fetchedAhead(100)).toBeLessThan(10 * rate + 32 * kB)
    const count = opened.server.requests.length
    expect(await read(100, 9 * rate)).toEqual(bytes.slice(100, 9 * rate))
    const since = opened.server.requests.slice(count)
    expect(since.filter(({ start }) => start < 9 * rate)).toEqual([])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(fetchedAhead(9 * rate)).toBeGreaterThanOrEqual(10 * rate)
  })

  it('15.52 leaves a slow line free for three probes, once, as soon as a second and a half is there', async () => {
    opened.server.bytesPerSecond = megabit
    await read(0, 100)
    // The decoder is hungry: it reads as fast as it can.
    const opus = 16_000
    const from = opened.server.requests.length
    opened.file.readAhead(60 * opus, playing(opus))
    for (let at = 0; at < 5 * opus; at += 2_000) await read(at, at + 2_000)
    const requests = opened.server.requests.slice(from)
    const gaps = requests.slice(1).map(({ fromMs }, index) => fromMs - (requests[index]?.untilMs ?? 0))
    const free = gaps.flatMap((gapMs, index) => (gapMs >= 250 ? [requests[index]?.end ?? 0] : []))
    expect(free).toHaveLength(1)
    expect(free[0]).toBeGreaterThanOrEqual(1.5 * opus)
    expect(free[0]).toBeLessThan(3 * opus)
  })

  it('15.52 never leaves a line free for longer that hardly carries the sound, or a fast one', async () => {
    for (const bytesPerSecond of [megabit, 100 * megabit]) {
      opened.server.bytesPerSecond = bytesPerSecond
      const lossless = openRangeFile('/api/tracks/t/stream')
      await settle(lossless.read(0, 100))
      const from = opened.server.requests.length
      lossless.readAhead(400 * kB, playing(100 * kB))
      await vi.advanceTimersByTimeAsync(4_000)
      lossless.close()
      const requests = opened.server.requests.slice(from)
      const gaps = requests.slice(1).map(({ fromMs }, index) => fromMs - (requests[index]?.untilMs ?? 0))
      expect(requests.length).toBeGreaterThan(2)
      expect(gaps.every((gapMs) => !(gapMs >= 250))).toBe(true)
    }
  })

  it('10.5b stops', async () => {
    await read(0, 100)
    opened.file.readAhead(100 * rate, playing(rate))
    await vi.advanceTimersByTimeAsync(1_000)
    opened.file.readAhead(0, playing(rate))
    await vi.advanceTimersByTimeAsync(1_000)
    const count = opened.server.requests.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(opened.server.requests).toHaveLength(count)
  })

  it('10.5d of a track that has not started asks for a quarter of a second at once, also of a fast line', async () => {
    const lossless = 400 * kB
    await read(0, 100)
    opened.file.readAhead(256 * kB, { bytesPerSecond: lossless, isPlaying: false })
    await vi.advanceTimersByTimeAsync(60_000)
    const sizes = opened.server.requests.slice(1).map(({ start, end }) => end - start)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(lossless / 4 + 8 * kB)
    expect(fetchedAhead(100)).toBeGreaterThanOrEqual(256 * kB)
    expect(fetchedAhead(100)).toBeLessThan(256 * kB + lossless / 4)
  })

  it('10.5c leaves a slow line free for half of the time from the second second on', async () => {
    opened.server.bytesPerSecond = megabit
    await read(0, 100)
    opened.file.readAhead(120 * rate, { bytesPerSecond: rate, isPlaying: false })
    await vi.advanceTimersByTimeAsync(3_000)
    const second = opened.server.requests.findIndex(({ end }) => end > rate + 16 * kB)
    for (let index = second; index < opened.server.requests.length - 1; index += 1) {
      const [before, after] = [opened.server.requests[index], opened.server.requests[index + 1]]
      if (!before || !after || second < 1) throw new Error('Too few requests')
      expect(after.fromMs - before.untilMs).toBeGreaterThanOrEqual(before.untilMs - before.fromMs - 1)
    }
  })

  it('10.5c leaves a slow line free for half of the time, and has two minutes after a minute', async () => {
    opened.server.bytesPerSecond = megabit
    await read(0, 100)
    opened.file.readAhead(120 * rate, playing(rate))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(opened.server.most).toBe(1)
    const untilUrgent = opened.server.requests.find(({ end }) => end > 5 * rate)?.untilMs ?? 0
    const later = opened.server.requests.filter(({ fromMs }) => fromMs > untilUrgent)
    const busyMs = later.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0)
    expect(busyMs / ((later.at(-1)?.untilMs ?? 0) - untilUrgent)).toBeLessThan(0.52)
    expect(fetchedAhead(0)).toBeGreaterThan(110 * rate)
  })

  it('10.5c is not faster than 2.5 times playing on a fast line, once ten seconds are there', async () => {
    await read(0, 100)
    opened.file.readAhead(120 * rate, playing(rate))
    await vi.advanceTimersByTimeAsync(500)
    expect(fetchedAhead(0)).toBeGreaterThan(10 * rate)
    const before = fetchedAhead(0)
    await vi.advanceTimersByTimeAsync(10_000)
    const perSecond = (fetchedAhead(0) - before) / 10
    expect(perSecond / rate).toBeGreaterThan(2)
    expect(perSecond / rate).toBeLessThanOrEqual(3)
  })

  it('10.5c uses the whole line while the sound would stop', async () => {
    opened.server.bytesPerSecond = megabit
    const lossless = 110_000
    await read(0, 100)
    opened.file.readAhead(120 * lossless, playing(lossless))
    await vi.advanceTimersByTimeAsync(4_000)
    expect(fetchedAhead(0)).toBeGreaterThan(0.95 * 4 * megabit - 64 * kB)
  })

  it('16.101 asks a fast line for two seconds at once, and for half a second once it is slow', async () => {
    const perSecond = 64 * kB
    await read(0, 100)
    opened.file.readAhead(120 * perSecond, playing(perSecond))
    await vi.advanceTimersByTimeAsync(10_000)
    const sizeOfLast = () => {
      const done = opened.server.requests.findLast(({ untilMs }) => untilMs < performance.now())
      return done && done.end - done.start
    }
    expect(sizeOfLast()).toBe(2 * perSecond)
    opened.server.bytesPerSecond = 20 * megabit
    await vi.advanceTimersByTimeAsync(5_000)
    expect(sizeOfLast()).toBe(perSecond / 2)
  })

  it('17.185 reads a lossless track faster than it plays, however far the server is', async () => {
    const perSecond = 100 * kB
    opened.server.latencyMs = 700
    await read(0, 100)
    opened.file.readAhead(120 * perSecond, playing(perSecond))
    await vi.advanceTimersByTimeAsync(4_000)
    const fetched = opened.server.requests.filter(({ untilMs }) => untilMs < Infinity)
    expect(Math.max(...fetched.map(({ end }) => end))).toBeGreaterThan(6 * perSecond)
  })
})
