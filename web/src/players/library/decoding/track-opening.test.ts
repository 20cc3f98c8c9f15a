import { expect, it, vi } from 'vitest'
import { openRangeFileForEach } from '../../testing/range-server.ts'
import { UndecodableError } from './undecodable-error.ts'
import { TrackStream } from './track-stream.ts'

const opened = openRangeFileForEach()

const openStream = () =>
  new TrackStream({ trackId: 't', url: '/api/tracks/t/stream', durationMs: 60_000 }, 48_000, () => undefined)

it('17.429 a track that is left while it is being opened is asked for no more', async () => {
  const { server } = opened
  const stream = openStream()
  server.failures = Array.from({ length: 1_000 }, () => 'network' as const)
  const primed = stream.prime(0).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(5_000)
  stream.dispose()
  const left = server.failures.length
  expect(left).toBeLessThan(1_000)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.failures).toHaveLength(left)
  expect(await primed).not.toBeInstanceOf(UndecodableError)
})
