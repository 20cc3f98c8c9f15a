import { readdirSync } from 'node:fs'
import { copyFile, rm, symlink, utimes } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { trackArtPath } from '@earshot/core/protocol/media-paths'
import { describe, expect, it, vi } from 'vitest'
import { makeFolder, writeIn } from '../../../test/folders.ts'
import { idOf } from '../../../test/music.ts'
import { findTrack } from '../../db/tracks.ts'
import { addRoom, shareTrackRoom, startMusicServer, startTrackRoom } from '../../../test/music-server.ts'
import { makeWav, tinyPng } from '../../../test/wav.ts'

/** Larger than a socket's buffer. */
const sound = makeWav({ title: 'Long', durationMs: 600_000 })
const size = sound.length

/** For the tests that only read. */
const reading = shareTrackRoom(sound)
const startWithRoom = (env: Record<string, string> = {}) => startTrackRoom(sound, env)

describe('the audio of a track', () => {
  it('is served whole, with the headers that range requests need', async () => {
    const { request, audio } = reading
    const answer = await request(audio, { user: 'member' })
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': String(size),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"[\w-]+"$/),
      'last-modified': expect.stringMatching(/GMT$/),
      'x-content-type-options': 'nosniff',
    })
    expect(Buffer.from(await answer.arrayBuffer()).equals(sound)).toBe(true)
  })

  it('ranges are answered with what they ask for', async () => {
    const { request, audio } = reading
    for (const [range, start, end] of [
      ['bytes=0-99', 0, 100],
      ['bytes=1000000-1000000', 1_000_000, 1_000_001],
      ['bytes=1000000-', 1_000_000, size],
      ['bytes=0-99999999', 0, size],
      ['bytes=-1', size - 1, size],
      [`bytes=-${size}`, 0, size],
    ] as const) {
      const answer = await request(audio, { user: 'member', headers: { range } })
      expect([range, answer.status]).toEqual([range, 206])
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-range': `bytes ${start}-${end - 1}/${size}`,
        'content-length': String(end - start),
        'content-type': 'audio/wav',
      })
      expect(Buffer.from(await answer.arrayBuffer()).equals(sound.subarray(start, end))).toBe(true)
    }
  })

  it('the whole file is sent for what is not a valid range', async () => {
    const { request, audio } = reading
    for (const range of [
      'bytes=0-1,4-5',
      'bytes=5-2',
      'bytes=-99999999',
      'bytes=a-b',
      'bytes=',
      'lines=0-1',
    ]) {
      const answer = await request(audio, { user: 'member', headers: { range } })
      expect([range, answer.status]).toEqual([range, 200])
      expect((await answer.arrayBuffer()).byteLength).toBe(size)
    }
  })

  it('a range outside of the file is refused', async () => {
    const { request, audio } = reading
    for (const range of [`bytes=${size}-`, 'bytes=99999999-', 'bytes=99999999-99999999', 'bytes=-0']) {
      const answer = await request(audio, { user: 'member', headers: { range } })
      expect([range, answer.status]).toEqual([range, 416])
      expect(answer.headers.get('content-range')).toBe(`bytes */${size}`)
      expect(await answer.json()).toMatchObject({ error: { code: 'invalid_input' } })
    }
  })

  it('has the same headers with HEAD as with GET, without ranges', async () => {
    const { request, audio } = reading
    const answer = await request(audio, { user: 'member', method: 'HEAD', headers: { range: 'bytes=0-9' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-length')).toBe(String(size))
    expect(answer.headers.get('accept-ranges')).toBe('bytes')
    expect((await answer.arrayBuffer()).byteLength).toBe(0)
  })

  it('is sent in part only while If-Range matches', async () => {
    const { request, audio, musicDir } = await startWithRoom()
    const ask = (headers: Record<string, string>): Promise<Response> =>
      request(audio, { user: 'member', headers: { range: 'bytes=5-9', ...headers } })
    const first = await ask({})
    const [etag, modified] = [first.headers.get('etag') ?? '', first.headers.get('last-modified') ?? '']
    expect((await ask({ 'if-range': etag })).status).toBe(206)
    expect((await ask({ 'if-range': modified })).status).toBe(206)
    expect((await ask({ 'if-range': '"other"' })).status).toBe(200)
    await utimes(join(musicDir, 'Some folder/#1 50% ü?.wav'), 2_000_000_000, 2_000_000_000)
    expect((await ask({ 'if-range': etag })).status).toBe(200)
    expect((await ask({ 'if-range': modified })).status).toBe(200)
    expect((await ask({ 'if-match': etag })).status).toBe(412)
  })

  it('is not sent again while the cached copy is current', async () => {
    const { address, request, audio } = reading
    const etag = (await request(audio, { user: 'member', method: 'HEAD' })).headers.get('etag') ?? ''
    // fetch bypasses its cache when it is given conditions.
    const status = await new Promise((resolve) => {
      const headers = { cookie: 'user=member', 'if-none-match': etag }
      get(`${address}${audio}`, { headers }, (answer) => resolve(answer.resume().statusCode))
    })
    expect(status).toBe(304)
  })

  it('closes its file when the client disconnects midway', async () => {
    const { address, audio } = reading
    const openFiles = (): number => readdirSync('/proc/self/fd').length
    const before = openFiles()
    for (let count = 0; count < 30; count += 1) {
      await new Promise<void>((resolve, reject) => {
        const request = get(`${address}${audio}`, { headers: { cookie: 'user=member' } }, (answer) => {
          answer.once('data', () => {
            request.destroy()
            resolve()
          })
        })
        request.once('error', reject)
      })
    }
    await vi.waitFor(() => expect(openFiles()).toBeLessThanOrEqual(before + 2))
  })
})

describe('access to audio', () => {
  it('requires a session', async () => {
    const { request, audio } = reading
    const answer = await request(audio)
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ error: { code: 'unauthenticated' } })
  })

  it('6.2a is limited to members of a room that plays the track or has it in its queue', async () => {
    const { request, audio, db, events, trackId } = await startWithRoom()
    await addRoom(db, 'other', { members: ['other'] })
    await addRoom(db, 'queue', { members: ['waiting'], queued: [trackId] })
    const statusFor = async (user: string): Promise<number> =>
      (await request(audio, { user, method: 'HEAD' })).status
    expect(await statusFor('waiting')).toBe(200)
    expect(await statusFor('member')).toBe(200)
    expect(await statusFor('other')).toBe(403)
    expect(await statusFor('owner')).toBe(403)
    await db.deleteFrom('user_rooms').where('user_id', '=', 'member').execute()
    await events.emit('userRemoved', { roomId: 'room', userId: 'member', reason: 'left', isRemote: false })
    expect(await statusFor('member')).toBe(403)
    const refused = await request(audio, { user: 'member' })
    expect(await refused.json()).toMatchObject({ error: { code: 'not_a_member' } })
  })

  it('is denied for a track outside the library', async () => {
    const { request, db } = reading
    for (const id of ['lib_unknown', '..%2f..%2fetc%2fpasswd', '%2fetc%2fpasswd', 'a%00b', 'x'.repeat(201)]) {
      const answer = await request(`/api/tracks/${id}/audio`, { user: 'member' })
      expect([400, 404]).toContain(answer.status)
      expect(await answer.json()).toHaveProperty('error.code')
    }
    expect(await db.selectFrom('library_files').selectAll().execute()).toHaveLength(1)
  })

  it('is denied for a file that is deleted, or replaced with a link out of the folder', async () => {
    const { request, audio, musicDir } = await startWithRoom()
    const path = join(musicDir, 'Some folder/#1 50% ü?.wav')
    const outside = join(await makeFolder(), 'secret.wav')
    await copyFile(path, outside)
    await rm(path)
    expect((await request(audio, { user: 'member' })).status).toBe(404)
    await symlink(outside, path)
    expect((await request(audio, { user: 'member' })).status).toBe(404)
  })

  it('is denied for a catalogue path that leads out of the folder', async () => {
    const { request, audio, db } = await startWithRoom()
    for (const path of ['../../../../../../etc/passwd', '/etc/passwd', 'Some folder/../../etc']) {
      await db.updateTable('library_files').set({ path }).execute()
      expect((await request(audio, { user: 'member' })).status).toBe(404)
    }
  })
})

describe('the cover of a track', () => {
  it('is served to every signed-in user, with the type of its bytes', async () => {
    const { request, art } = reading
    const answer = await request(art, { user: 'stranger' })
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=86400',
      'x-content-type-options': 'nosniff',
    })
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(tinyPng)
    expect((await request(art, { user: 'stranger', method: 'HEAD' })).status).toBe(200)
  })

  it('13.23 is cached for ever at the address that names its version', async () => {
    const { request, db, musicDir, library } = await startMusicServer(async (folder) => {
      await writeIn(folder, 'one.wav', makeWav({ title: 'One', cover: tinyPng }))
      await writeIn(folder, 'album/two.wav', makeWav({ title: 'Two', seed: 2 }))
      await writeIn(folder, 'album/cover.png', tinyPng)
    })
    const artOf = async (title: string): Promise<string> =>
      (await findTrack(db, await idOf(db, title)))?.album_art ?? ''
    const [own, beside] = [await artOf('One'), await artOf('Two')]
    for (const art of [own, beside]) {
      const answer = await request(art, { user: 'stranger' })
      expect(answer.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(tinyPng)
    }
    await writeIn(musicDir, 'album/cover.png', Buffer.concat([tinyPng, Buffer.alloc(1)]))
    await library.rescan()
    expect(await artOf('Two')).not.toBe(beside)
    const outdated = await request(beside, { user: 'stranger' })
    expect(outdated.headers.get('cache-control')).toBe('private, max-age=86400')
  })

  it('13.20 is served in the size that is asked for', async () => {
    const { request, art } = reading
    const answers = await Promise.all(
      [96, 320, 640].map((size) => request(`${art}?size=${size}`, { user: 'stranger' })),
    )
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
      await answer.arrayBuffer()
    }
    for (const size of ['97', 'x', '0']) {
      expect((await request(`${art}?size=${size}`, { user: 'stranger' })).status).toBe(400)
    }
  })

  it('6.4c is served to visitors while a public room plays the track, and never for private rooms', async () => {
    const { request, art, db } = await startWithRoom()
    expect((await request(art)).status).toBe(200)
    await db.updateTable('rooms').set({ is_public: 0 }).execute()
    expect((await request(art)).status).toBe(401)
    await db.updateTable('rooms').set({ is_public: 1, current_track_id: null }).execute()
    expect((await request(art)).status).toBe(401)
  })

  it('is not found where the track has none', async () => {
    const { request, db } = await startMusicServer((musicDir) =>
      writeIn(musicDir, 'one.wav', makeWav({ title: 'One' })),
    )
    const answer = await request(trackArtPath(await idOf(db, 'One')), { user: 'stranger' })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { code: 'track_not_found' } })
  })
})

describe('audio and covers in a page of another origin', () => {
  const origin = 'https://pages.example.net'
  const key = 'publishable-key'

  it('2.39b are available to its scripts and elements, where the operator set a key', async () => {
    const { request, audio, art } = await startWithRoom({ PUBLIC_CLIENT_KEY: key })
    const headers = { origin, range: 'bytes=0-99', 'x-client-key': key }
    const part = await request(audio, { user: 'member', headers })
    expect((await part.arrayBuffer()).byteLength).toBe(100)
    expect(part.headers.get('access-control-allow-origin')).toBe(origin)
    expect(part.headers.get('access-control-expose-headers')).toContain('content-range')
    for (const path of [audio, art]) {
      // Elements send neither an origin nor a key.
      const answer = await request(path, { user: 'member', headers: { 'sec-fetch-site': 'same-site' } })
      await answer.arrayBuffer()
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    }
  })

  it('are limited to own pages where no key is set', async () => {
    const { request, audio, art } = reading
    for (const path of [audio, art]) {
      const answer = await request(path, { user: 'member', headers: { origin } })
      await answer.arrayBuffer()
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})
