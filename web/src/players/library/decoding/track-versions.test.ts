import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { settle } from '../../testing/range-server.ts'
import { RefusedError } from './range-request.ts'
import type { TrackDecoder } from './track-decoder.ts'
import { TrackVersions } from './track-versions.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** As browsers say that take a decoder away from a page in the background. */
const reclaimed = new Error('Codec reclaimed due to inactivity.')

interface OpenedFile {
  isDisposed: boolean
}

function makeDecoder(file: OpenedFile): TrackDecoder {
  const refuse = () => {
    throw new Error('Nothing is decoded here')
  }
  return {
    decodeFrom: refuse,
    measureDuration: refuse,
    countedDuration: refuse,
    dispose: () => (file.isDisposed = true),
  }
}

/** A track that is open. `failures` are those of the attempts to open it again. */
function openTrack(failures: Error[] = []) {
  const files: OpenedFile[] = []
  const onReplaced = vi.fn<() => void>()
  let attempts = 0
  const open = (): Promise<TrackDecoder> => {
    attempts += 1
    const failed = attempts > 1 ? failures.shift() : undefined
    if (failed) return Promise.reject(failed)
    const file = { isDisposed: false }
    files.push(file)
    return Promise.resolve(makeDecoder(file))
  }
  const versions = new TrackVersions(open, 48_000, onReplaced)
  return { versions, files, onReplaced, attempts: () => attempts }
}

it('17.178 a decoder that fails after it has worked is opened anew, and the one before is closed', async () => {
  const { versions, files, onReplaced } = openTrack()
  const first = versions.current()
  const next = await settle(versions.after(first, reclaimed, true))
  expect(next).not.toBe(first)
  expect(versions.current()).toBe(next)
  expect(files).toEqual([{ isDisposed: true }, { isDisposed: false }])
  expect(onReplaced).toHaveBeenCalledOnce()
  versions.dispose()
})

it('17.178 a decoder that never worked, or a file that is refused, is not opened anew', async () => {
  const { versions, attempts } = openTrack()
  const version = versions.current()
  await expect(settle(versions.after(version, reclaimed, false))).rejects.toBe(reclaimed)
  const refused = new RefusedError('/api/tracks/t/stream', 403)
  await expect(settle(versions.after(version, refused, true))).rejects.toBe(refused)
  expect(attempts()).toBe(1)
  expect(versions.current()).toBe(version)
  versions.dispose()
})

it('17.178 a decoder that cannot be opened anew at once is tried for 10 s', async () => {
  const patient = openTrack([reclaimed, reclaimed, reclaimed])
  await settle(patient.versions.after(patient.versions.current(), reclaimed, true))
  expect(patient.attempts()).toBe(5)
  patient.versions.dispose()

  const { versions } = openTrack(Array.from({ length: 1_000 }, () => reclaimed))
  const startedMs = performance.now()
  await expect(settle(versions.after(versions.current(), reclaimed, true))).rejects.toBe(reclaimed)
  expect(performance.now() - startedMs).toBeGreaterThan(9_500)
  expect(performance.now() - startedMs).toBeLessThan(11_500)
  versions.dispose()
})

it('17.230 the file of a track that was left is not opened again, and one that opens too late is closed', async () => {
  const left = openTrack()
  const version = left.versions.current()
  left.versions.dispose()
  await expect(settle(left.versions.after(version, reclaimed, true))).rejects.toBe(reclaimed)
  expect(left.attempts()).toBe(1)

  const leaving = openTrack()
  const opening = settle(leaving.versions.after(leaving.versions.current(), reclaimed, true))
  leaving.versions.dispose()
  await opening.catch(() => undefined)
  expect(leaving.files.every(({ isDisposed }) => isDisposed)).toBe(true)
})
