import { trackAudioPath } from '@earshot/core/protocol/media-paths'
import type { Track } from '@earshot/core/protocol/entities'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createApp } from '../src/compose/create-app.ts'
import { parseEnv } from '../src/env/env.ts'
import { signUpOverHttp } from './apps.ts'
import { makeFolder } from './folders.ts'

/** As after the first start: nothing is configured. */
async function startFresh() {
  const env = parseEnv({ PORT: '0', DATA_DIR: await makeFolder() })
  const app = await createApp({ env, logger: pino({ level: 'silent' }) })
  onTestFinished(() => app.close())
  app.startLibrary()
  const { cookie } = await signUpOverHttp(app, 'ann')
  const ask = async (path: string, body?: object): Promise<Response> =>
    fetch(app.address + path, {
      headers: { cookie, origin: app.address, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
  return { ask }
}

it('a fresh server has music of its own, with covers, and plays it to who is in a room', async () => {
  const { ask } = await startFresh()
  const tracks = await vi.waitFor(async () => {
    const library = (await (await ask('/api/library')).json()) as { tracks: Track[] }
    expect(library.tracks.length).toBeGreaterThanOrEqual(6)
    return library.tracks
  })
  for (const track of tracks) {
    expect(track).toMatchObject({ source: 'library', artist: expect.stringMatching(/./) })
    expect(track.duration).toBeGreaterThan(30_000)
    const art = await ask(track.albumArt ?? '')
    expect(art.headers.get('content-type')).toMatch(/^image\//)
    expect((await art.arrayBuffer()).byteLength).toBeGreaterThan(1_000)
  }
  expect(new Set(tracks.map((track) => track.title)).size).toBe(tracks.length)

  const [track] = tracks
  const audio = trackAudioPath(track!.id)
  expect((await ask(audio)).status).toBe(403)
  const { id } = (await (await ask('/api/rooms', { name: 'Room', isPublic: true })).json()) as { id: string }
  expect((await ask(`/api/rooms/${id}/join`, {})).status).toBe(200)
  expect((await ask(`/api/rooms/${id}/queue`, { trackId: track!.id })).status).toBe(200)
  const sound = await ask(audio)
  expect(sound.status).toBe(200)
  expect(sound.headers.get('content-type')).toBe('audio/ogg')
  expect(Buffer.from(await sound.arrayBuffer()).toString('latin1', 0, 4)).toBe('OggS')
})
