import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { limits } from '@earshot/core/limits'
import { trackAudioPath } from '@earshot/core/protocol/track-paths'
import { expect, it, onTestFinished, vi } from 'vitest'
import { writeIn } from '../../../test/folders.ts'
import { idOf } from '../../../test/music.ts'
import { addRoom, startMusicServer } from '../../../test/music-server.ts'
import { makeWav } from '../../../test/wav.ts'

it('17.115 a user gets so many answers of audio at a time, and others are not affected', async () => {
  // Larger than a socket's buffer: an answer that is not read stays under way.
  const sound = makeWav({ title: 'Long', durationMs: 600_000 })
  const { address, db, request } = await startMusicServer((folder) => writeIn(folder, 'long.wav', sound))
  const trackId = await idOf(db, 'Long')
  await addRoom(db, 'room', { members: ['rude', 'other'], current: trackId })
  const audio = trackAudioPath(trackId)
  const range = { range: 'bytes=0-99' }
  /** Asks for the whole file and reads nothing of it. */
  const hold = async (): Promise<IncomingMessage> => {
    const asked = get(`${address}${audio}`, { headers: { cookie: 'user=rude' }, agent: false })
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    onTestFinished(() => void answer.destroy())
    return answer
  }
  const held = await Promise.all(Array.from({ length: limits.audioAnswersPerUser }, hold))
  expect(held.map(({ statusCode }) => statusCode)).toEqual(held.map(() => 200))

  const refused = await request(audio, { user: 'rude', headers: range })
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('1')
  expect((await request(audio, { user: 'other', headers: range })).status).toBe(206)

  held[0]?.destroy()
  await vi.waitFor(async () =>
    expect((await request(audio, { user: 'rude', headers: range })).status).toBe(206),
  )
})
