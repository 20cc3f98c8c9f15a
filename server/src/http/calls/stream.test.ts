import { readdirSync } from 'node:fs'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { trackStreamPath } from '@earshot/core/protocol/media-paths'
import { describe, expect, it, vi } from 'vitest'
import { writeIn } from '../../../test/folders.ts'
import { longTracks } from '../../../test/long-tracks.ts'
import { idOf } from '../../../test/music.ts'
import { addRoom, startMusicServer, type MusicServer } from '../../../test/music-server.ts'
import { makeWav } from '../../../test/wav.ts'

const sound = makeWav({ title: 'Long', durationMs: 60_000 })

describe('the stream of a track', () => {
  async function startWithMp3(): Promise<MusicServer & { stream: string; audio: string }> {
    const server = await startMusicServer(async (musicDir) => {
      await copyFile(join(import.meta.dirname, '../../../test/audio/tone.mp3'), join(musicDir, 'tone.mp3'))
      await writeIn(musicDir, 'Long.wav', sound)
    })
    const [mp3, wav] = [await idOf(server.db, 'Tone'), await idOf(server.db, 'Long')]
    await addRoom(server.db, 'room', { members: ['member'], current: mp3, queued: [wav] })
    return { ...server, stream: trackStreamPath(mp3), audio: trackStreamPath(wav) }
  }

  it('10.1c is an MP4 file, whole and in ranges, and is not sent again unchanged', async () => {
    const { address, request, stream } = await startWithMp3()
    const ask = (headers: Record<string, string>, method = 'GET'): Promise<Response> =>
      request(stream, { user: 'member', method, headers })
    const whole = await ask({})
    expect(whole.status).toBe(200)
    const bytes = Buffer.from(await whole.arrayBuffer())
    const etag = whole.headers.get('etag') ?? ''
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'audio/mp4',
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"\w+"$/),
    })
    for (const [range, start, end] of [
      ['bytes=0-99', 0, 100],
      ['bytes=500-', 500, bytes.length],
      ['bytes=-4', bytes.length - 4, bytes.length],
      ['bytes=1000-99999999', 1_000, bytes.length],
    ] as const) {
      const part = await ask({ range })
      expect(part.status).toBe(206)
      expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${bytes.length}`)
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(start, end))).toBe(true)
    }
    expect((await ask({ range: 'bytes=5-2' })).status).toBe(200)
    const outside = await ask({ range: 'bytes=99999999-' })
    expect(outside.status).toBe(416)
    expect(outside.headers.get('content-range')).toBe(`bytes */${bytes.length}`)
    expect(await outside.json()).toMatchObject({ error: { code: 'invalid_input' } })
    expect((await ask({ range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200)
    expect((await ask({ range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
    const head = await ask({}, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
    // fetch bypasses its cache when it is given conditions.
    const status = await new Promise((resolve) => {
      const headers = { cookie: 'user=member', 'if-none-match': etag }
      get(`${address}${stream}`, { headers }, (answer) => resolve(answer.resume().statusCode))
    })
    expect(status).toBe(304)
  })

  it('10.1c closes its files when the client disconnects midway', async () => {
    const server = await startMusicServer(async (musicDir) => {
      longTracks.find(({ name }) => name === 'flac-24-96.flac')?.write(join(musicDir, 'Large.flac'), 60)
    })
    const trackId = await idOf(server.db, 'Large')
    await addRoom(server.db, 'room', { members: ['member'], current: trackId })
    const url = `${server.address}${trackStreamPath(trackId)}`
    const openFiles = (): number => readdirSync('/proc/self/fd').length
    const disconnect = (): Promise<void> =>
      new Promise((resolve, reject) => {
        const request = get(url, { headers: { cookie: 'user=member' } }, (answer) => {
          answer.once('data', () => {
            request.destroy()
            resolve()
          })
        })
        request.once('error', reject)
      })
    await disconnect()
    const before = openFiles()
    for (let count = 0; count < 30; count += 1) await disconnect()
    await vi.waitFor(() => expect(openFiles()).toBeLessThanOrEqual(before + 2))
  })

  it('16.100 a client that reads slowly gets its own bytes while others read', async () => {
    const { address, request, audio } = await startWithMp3()
    const ask = async (start: number, end: number): Promise<Buffer> => {
      const answer = await request(audio, { user: 'member', headers: { range: `bytes=${start}-${end - 1}` } })
      return Buffer.from(await answer.arrayBuffer())
    }
    const length = 256 * 1_024
    const starts = Array.from({ length: 60 }, (_, index) => index * 3_000)
    const slow = requestAll(`${address}${audio}`, starts, length)
    for (let start = 0; start < 200_000; start += 5_000) {
      expect((await ask(start, start + length)).equals(sound.subarray(start, start + length))).toBe(true)
    }
    const parts = await slow.read()
    expect(parts).toHaveLength(starts.length)
    for (const [index, start] of starts.entries()) {
      expect(parts[index]?.equals(sound.subarray(start, start + length))).toBe(true)
    }
  })

  it('17.175 is that of the new file at once where a tagger writes to it between two ranges', async () => {
    const { request, stream, musicDir } = await startWithMp3()
    const ask = async (start: number, end: number) => {
      const answer = await request(stream, {
        user: 'member',
        headers: { range: `bytes=${start}-${end - 1}` },
      })
      const { status, headers } = answer
      return { status, etag: headers.get('etag'), bytes: Buffer.from(await answer.arrayBuffer()) }
    }
    const whole = Buffer.from(await (await request(stream, { user: 'member' })).arrayBuffer())
    const [start, end] = [Math.floor(whole.length / 2), whole.length - 100]
    const path = join(musicDir, 'tone.mp3')
    const tags = new Set([(await ask(0, 100)).etag])
    const audio = withoutTag(await readFile(path))
    // A cover comes, and goes again.
    for (const tagBytes of [1_000_000, 200]) {
      await writeFile(path, Buffer.concat([makeTag(tagBytes), audio]))
      const { status, etag, bytes } = await ask(start, end)
      expect([status, bytes.equals(whole.subarray(start, end))]).toEqual([206, true])
      expect(tags.has(etag)).toBe(false)
      tags.add(etag)
    }
  })

  it('10.2 is the original where that needs no index', async () => {
    const { request, audio } = await startWithMp3()
    const answer = await request(audio, { user: 'member', headers: { range: 'bytes=100-199' } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([206, 'audio/wav'])
    expect(Buffer.from(await answer.arrayBuffer()).equals(sound.subarray(100, 200))).toBe(true)
  })

  it('10.1c is for those who may have the original, and gone with it', async () => {
    const { request, stream, musicDir } = await startWithMp3()
    const statusFor = async (user?: string): Promise<number> => {
      const answer = await request(stream, user === undefined ? {} : { user })
      await answer.arrayBuffer()
      return answer.status
    }
    expect(await statusFor()).toBe(401)
    expect(await statusFor('stranger')).toBe(403)
    expect(await statusFor('member')).toBe(200)
    await rm(join(musicDir, 'tone.mp3'))
    expect(await statusFor('member')).toBe(404)
  })
})

/** An ID3v2.3 tag of some bytes. */
function makeTag(length: number): Buffer {
  const tag = Buffer.alloc(length)
  tag.write('ID3\u0003')
  for (const [at, shift] of [21, 14, 7, 0].entries()) tag[6 + at] = ((length - 10) >> shift) & 127
  return tag
}

function withoutTag(file: Buffer): Buffer {
  if (file.toString('latin1', 0, 3) !== 'ID3') return file
  return file.subarray(10 + [...file.subarray(6, 10)].reduce((size, part) => size * 128 + part, 0))
}

/** Requests ranges of a length over one connection, one behind the other, and does not take the answers before `read`. */
function requestAll(
  url: string,
  starts: readonly number[],
  length: number,
): { read: () => Promise<Buffer[]> } {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname).pause()
  const lines = (start: number) => [
    `GET ${pathname} HTTP/1.1`,
    'host: test',
    'cookie: user=member',
    `range: bytes=${start}-${start + length - 1}`,
    ...(start === starts.at(-1) ? ['connection: close'] : []),
  ]
  socket.write(starts.map((start) => `${lines(start).join('\r\n')}\r\n\r\n`).join(''))
  const bodiesOf = function* (bytes: Buffer): Generator<Buffer> {
    for (let at = bytes.indexOf('\r\n\r\n'); at >= 0; at = bytes.indexOf('\r\n\r\n', at + 4 + length)) {
      yield bytes.subarray(at + 4, at + 4 + length)
    }
  }
  return { read: async () => [...bodiesOf(await buffer(socket))] }
}
