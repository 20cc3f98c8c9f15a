import { expect, it } from 'vitest'
import type { TrackStream } from './decoding/track-stream.ts'
import { NextTrack } from './next-track.ts'

it('17.440 a next track that was refused is loaded once more when it is due soon', async () => {
  const next = new NextTrack(() => undefined)
  const answers = [() => Promise.reject(new Error('refused')), () => Promise.resolve()]
  let opened = 0
  const open = (): TrackStream => {
    const prime = answers[opened++]!
    return { trackId: 'b', prime, dispose: () => undefined } as unknown as TrackStream
  }
  const settle = () => new Promise((resolve) => setTimeout(resolve))
  for (let turn = 0; turn < 3; turn++) {
    expect(next.prepare('b', 'later', open)).toBe(false)
    await settle()
  }
  expect(opened).toBe(1)
  expect(next.prepare('b', 'soon', open)).toBe(false)
  await settle()
  expect(next.prepare('b', 'soon', open)).toBe(true)
  expect(opened).toBe(2)
})
