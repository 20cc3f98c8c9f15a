import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { trackAudioPath } from '@earshot/core/protocol/media-paths'
import { expect, it, onTestFinished, vi } from 'vitest'
import { writeIn } from '../../../test/folders.ts'
import { idOf } from '../../../test/music.ts'
import { addRoom, startMusicServer } from '../../../test/music-server.ts'
import { makeWav } from '../../../test/wav.ts'
import { serverLimits } from '../../server-limits.ts'

/** Larger than a socket's buffer: an answer that is not read stays under way. */
const sound = makeWav({ title: 'Long', durationMs: 2_500_000 })

const audioAnswersMax = 2

async function startWithTrack() {
  const fill = (folder: string) => writeIn(folder, 'long.wav', sound)
  const server = await startMusicServer(fill, {}, { audioAnswersMax })
  const trackId = await idOf(server.db, 'Long')
  await addRoom(server.db, 'room', { members: ['rude', 'other'], current: trackId })
  const audio = trackAudioPath(trackId)
  /** Asks for the whole file and reads nothing of it. */
  const hold = async (): Promise<IncomingMessage> => {
    const asked = get(`${server.address}${audio}`, { headers: { cookie: 'user=rude' }, agent: false })
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    onTestFinished(() => void answer.destroy())
    return answer
  }
  return { ...server, audio, hold }
}

it('17.114 audio that a paused player does not read stays under way', async () => {
  const { address, httpServer, hold } = await startWithTrack()
  httpServer.timeout = 2_000
  const paused = await hold()
  for (let count = 0; count < 2; count += 1) {
    const silent = connect(Number(new URL(address).port), '127.0.0.1').resume()
    await once(silent, 'close')
  }
  let bytes = 0
  for await (const chunk of paused) bytes += (chunk as Buffer).length
  expect(bytes).toBe(sound.length)
})

it('17.115 a user gets so many answers of audio at a time, and others are not affected', async () => {
  expect(serverLimits.audioAnswersPerUser).toBe(64)
  const { audio, hold, request } = await startWithTrack()
  const range = { range: 'bytes=0-99' }
  const held = await Promise.all(Array.from({ length: audioAnswersMax }, hold))
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
