import { expect, it, vi } from 'vitest'
import { bytes, openRangeFileForEach, settle } from '../../testing/range-server.ts'
import { openRangeFile } from './range-file.ts'

const opened = openRangeFileForEach()

it('17.175 reports a change once, asks no more, and still reads what it has', async () => {
  const onChanged = vi.fn<() => void>()
  const changing = openRangeFile('/api/tracks/t/stream', { onChanged })
  const readChanging = (start: number, end: number) => settle(changing.read(start, end))
  await readChanging(0, 10)
  opened.server.tag = '"two"'
  for (const start of [1_000_000, 2_000_000]) {
    await expect(readChanging(start, start + 10)).rejects.toThrow('has changed')
  }
  changing.readAhead(1_000_000, { bytesPerSecond: 24_000, isPlaying: true })
  expect(await readChanging(0, 1_000)).toEqual(bytes.slice(0, 1_000))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(onChanged).toHaveBeenCalledOnce()
  expect(opened.server.requests).toHaveLength(2)
  changing.close()
})

it('17.373 a file that ends before the range that is asked for has changed', async () => {
  const onChanged = vi.fn<() => void>()
  const shortened = openRangeFile('/api/tracks/t/stream', { onChanged })
  await settle(shortened.read(0, 10))
  opened.server.failures = [416]
  await expect(settle(shortened.read(1_000_000, 1_000_010))).rejects.toThrow('has changed')
  expect(onChanged).toHaveBeenCalledOnce()
  shortened.close()
})

it('17.373 a file that is refused from its start on with 416 has not', async () => {
  opened.server.failures = [416]
  await expect(settle(opened.file.read(0, 10))).rejects.toThrow('status 416')
})

it('17.176 is asked for 20 s for a file that is gone: it may have been renamed', async () => {
  await settle(opened.file.read(0, 10))
  opened.server.failures = Array.from({ length: 4 }, () => 404)
  expect(await settle(opened.file.read(1_000_000, 1_000_010))).toEqual(bytes.slice(1_000_000, 1_000_010))
  opened.server.failures = Array.from({ length: 1_000 }, () => 404)
  const startedMs = performance.now()
  await expect(settle(opened.file.read(2_000_000, 2_000_010))).rejects.toThrow('status 404')
  expect(performance.now() - startedMs).toBeGreaterThan(15_000)
  expect(performance.now() - startedMs).toBeLessThan(25_000)
})
