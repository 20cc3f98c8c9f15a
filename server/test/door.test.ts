import type { Track } from '@earshot/core/protocol/entities'
import type { Door } from '@earshot/core/protocol/door-calls'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { makeTrack } from '@earshot/core/testing/tracks'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { upsertTracks } from '../src/db/tracks.ts'
import { serverLimits } from '../src/server-limits.ts'
import { enterAsGuest, signUp, shareApp, startApp, type TestApp, type TestUser } from './apps.ts'
import { ask, codeOf } from './ask.ts'
import { makeFolder, writeIn } from './folders.ts'
import { makeOld } from './music.ts'
import { freezeWindows } from './rate-windows.ts'
import { joinAs, openJoinedRoom } from './sockets.ts'
import { makeWav, tinyPng } from './wav.ts'
import { callRates } from '../src/limits/rates.ts'

const refusal = (code: string) => expect.objectContaining({ code })

const open = async (app: TestApp, roomId: string, user: TestUser | null = null): Promise<Door> =>
  (await app.call<{ door: Door }>(user, 'GET', `/api/rooms/${roomId}/door`)).door
const openAsInvited = async (app: TestApp, roomId: string, invite: string): Promise<Door> =>
  (await app.call<{ door: Door }>(null, 'POST', `/api/rooms/${roomId}/door`, { invite })).door

describe('the door call', () => {
  const app = shareApp()

  it('17.17a shows the owner, the track, and the first members of a public room to anybody', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app, { trackCount: 1 })
    for (let member = 0; member < serverLimits.doorFaces; member++)
      await joinAs(app, roomId, `member ${member}`)
    await owner.ask('direct_command', { roomId, command: 'play' })
    expect(await open(app, roomId)).toEqual({
      id: roomId,
      name: 'Room',
      owner: { username: 'owner', avatar: null },
      isPublic: true,
      listeners: serverLimits.doorFaces + 1,
      faces: ['owner', 'member 0', 'member 1', 'member 2', 'member 3'].map((username) => ({
        username,
        avatar: null,
      })),
      track: { title: 'Title of t1', artist: expect.any(String), art: null },
      isPlaying: true,
      isInvited: false,
      guests: 'invited',
      guestsMayCome: false,
      asksPassword: false,
    })
  })

  it('17.17b shows nothing of what a private room plays, but to members and invited visitors', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app, { trackCount: 1, password: 'sesame' })
    const hidden = { name: 'Room', faces: [], track: null, isPlaying: false, asksPassword: true }
    expect(await open(app, roomId)).toMatchObject(hidden)
    expect(await open(app, roomId, await signUp(app, 'ann'))).toMatchObject(hidden)
    expect(await openAsInvited(app, roomId, 'guessed')).toMatchObject({ ...hidden, isInvited: false })
    const shown = { faces: [{ username: 'owner' }], track: { title: 'Title of t1' }, asksPassword: false }
    expect(await open(app, roomId, owner.user)).toMatchObject(shown)
    const { token } = await app.call<{ token: string }>(owner.user, 'POST', `/api/rooms/${roomId}/invites`)
    expect(await openAsInvited(app, roomId, token)).toMatchObject({
      ...shown,
      isInvited: true,
      guestsMayCome: true,
    })
    await app.call(owner.user, 'DELETE', `/api/rooms/${roomId}/invites`)
    expect(await openAsInvited(app, roomId, token)).toMatchObject(hidden)
  })

  it('17.116 shows the cover of a private room to invited visitors, for a while, and to nobody else', async () => {
    const clock = createFakeClock(Date.now())
    const musicDir = await makeFolder()
    for (const title of ['one', 'two']) {
      await writeIn(musicDir, `${title}.wav`, makeWav({ title, cover: tinyPng }))
      await makeOld(join(musicDir, `${title}.wav`))
    }
    const app = await startApp({ clock, variables: { MUSIC_DIR: musicDir } })
    const { id: roomId, owner } = await openJoinedRoom(app, { trackCount: 0, password: 'sesame' })
    const arts = await vi.waitFor(async () => {
      const { tracks } = await app.call<{ tracks: Track[] }>(owner.user, 'GET', '/api/library')
      expect(tracks).toHaveLength(2)
      return tracks.map(({ id, album_art }) => ({ id, art: album_art ?? '' }))
    })
    const [shown, other] = [arts[0]!, arts[1]!]
    await app.db.updateTable('rooms').set({ current_track_id: shown.id }).where('id', '=', roomId).execute()
    const statusOf = async (path: string) => (await ask(`${app.address}${path}`)).status
    const { token } = await app.call<{ token: string }>(owner.user, 'POST', `/api/rooms/${roomId}/invites`)
    const art = (await openAsInvited(app, roomId, token)).track?.art ?? ''
    expect(art.startsWith(`${shown.art}&grant=`)).toBe(true)
    expect(await statusOf(art)).toBe(200)
    expect(await statusOf(`${art}&size=320`)).toBe(200)
    expect(await statusOf(shown.art)).toBe(401)
    // Neither another track's cover, nor one that was changed.
    const grant = new URL(art, app.address).searchParams.get('grant') ?? ''
    expect(await statusOf(`${other.art}&grant=${grant}`)).toBe(401)
    const [period = '', mac = ''] = grant.split('.')
    for (const forged of [`${Number(period) + 1}.${mac}`, `${period}.${mac.slice(1)}`, period, '', 'x']) {
      expect([forged, await statusOf(`${shown.art}&grant=${forged}`)]).toEqual([forged, 401])
    }
    expect(await openAsInvited(app, roomId, 'guessed')).toMatchObject({ track: null })
    clock.advance(2 * serverLimits.coverGrantMs)
    expect(await statusOf(art)).toBe(401)
  })

  it('17.17c reads a room once a second at most, and says whether guests may come', async () => {
    const clock = createFakeClock(Date.now())
    const app = await startApp({ clock })
    const { id: roomId } = await openJoinedRoom(app, { trackCount: 0 })
    expect(await open(app, roomId)).toMatchObject({ name: 'Room', guestsMayCome: false })
    const changes = { name: 'Kitchen', settings: JSON.stringify({ guests: 'everyone' }) }
    await app.db.updateTable('rooms').set(changes).where('id', '=', roomId).execute()
    expect(await open(app, roomId)).toMatchObject({ name: 'Room' })
    clock.advance(serverLimits.doorCacheMs)
    expect(await open(app, roomId)).toMatchObject({ name: 'Kitchen', guestsMayCome: true })
  })

  it('17.17d the visitors of an address may knock so often in 10 s, at rooms that exist or not, with invites or without', async () => {
    // Two people in place of 60.
    const app = await startApp({ variables: { TRUST_PROXY: '127.0.0.1', PEOPLE_PER_ADDRESS: '2' } })
    const knocksOfTwo = (callRates.door.points * 2) / serverLimits.peoplePerAddress
    const { id: roomId } = await openJoinedRoom(app, { trackCount: 0 })
    const knock = (host: number, path: string, body?: unknown) =>
      ask(`${app.address}/api/rooms/${path}/door`, {
        ...(body === undefined ? {} : { method: 'POST', body }),
        headers: { origin: app.address, 'x-forwarded-for': `2001:db8:0:7::${host}` },
      })
    freezeWindows()
    const hosts = Array.from({ length: knocksOfTwo / 2 }, (_, host) => host)
    const knocks = hosts.map(async (host) => {
      expect(codeOf(await knock(host, `random-${host}`))).toBe('room_not_found')
      expect((await knock(host, roomId, { invite: `guess-${host}` })).status).toBe(200)
    })
    await Promise.all(knocks)
    expect(codeOf(await knock(999, roomId))).toBe('rate_limited')
    expect(codeOf(await knock(999, roomId, { invite: 'guess' }))).toBe('rate_limited')
    await expect(open(app, 'nowhere')).rejects.toEqual(refusal('room_not_found'))
  })

  it('17.17a is open to guests, who may be of another room', async () => {
    const { id: roomId } = await openJoinedRoom(app, { trackCount: 0 })
    expect(await open(app, roomId, await enterAsGuest(app, 'Gus'))).toMatchObject({ name: 'Room' })
  })
})

describe('the preview of a link', () => {
  const html = `<!doctype html><head><meta
      name="description"
      content="All rooms."
    /><title>Earshot</title></head>`

  async function startWithPage() {
    const pageFolder = await makeFolder()
    await writeIn(pageFolder, 'index.html', html)
    await writeIn(pageFolder, 'room.html', html)
    return startApp({ pageFolder })
  }

  /** Resolves to the page with its room in it, which a busy server does not wait for. */
  const openPreview = (app: TestApp, path: string, headers: Record<string, string> = {}) =>
    vi.waitFor(
      async () => {
        const answer = await ask(`${app.address}/room/${path}`, { headers })
        expect(answer.text).toContain('"door":')
        return answer
      },
      { interval: 500 },
    )

  /** Returns the document's title, and its tags by name. */
  function readTags(text: string): Record<string, string> {
    const tags = text.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)">/g)
    const title = /<title>([^<]*)<\/title>/.exec(text)?.[1] ?? ''
    return { title, ...Object.fromEntries([...tags].map(([, name, content]) => [name, content])) }
  }

  it('17.19a names a public room, who plays what, and its cover', async () => {
    const app = await startWithPage()
    const { id: roomId, owner } = await openJoinedRoom(app, { trackCount: 1 })
    const art = '/api/tracks/t1/art?v=1'
    await upsertTracks(
      app.db,
      [{ ...makeTrack('t1'), title: 'Neon Harbour', artist: 'Ida', album_art: art, albumArt: art }],
      2,
    )
    await owner.ask('direct_command', { roomId, command: 'play' })
    const { text } = await openPreview(app, `${roomId}?utm=x`)
    const description = 'owner is playing Neon Harbour by Ida. Listen along.'
    expect(readTags(text)).toEqual({
      title: 'Room · Earshot',
      description,
      'og:site_name': 'Earshot',
      'og:type': 'website',
      'og:title': 'Room',
      'og:description': description,
      'og:url': `${app.address}/room/${roomId}`,
      'og:image': `${app.address}/api/tracks/t1/art?v=1&amp;size=640`,
      'twitter:card': 'summary_large_image',
    })
    expect(text).not.toContain('All rooms')
    const german = await openPreview(app, roomId, { 'accept-language': 'de' })
    expect(readTags(german.text)).toMatchObject({
      description: 'owner spielt Neon Harbour von Ida. Hör mit.',
    })
    const data = JSON.parse(/id="page-data">(.*?)<\/script>/.exec(text)?.[1] ?? '') as { door: Door }
    expect(data.door).toMatchObject({ name: 'Room', track: { title: 'Neon Harbour' } })
  })

  it('17.19b tells nothing of a private room but its name, also to its owner', async () => {
    const app = await startWithPage()
    const { id: roomId, owner } = await openJoinedRoom(app, { trackCount: 1, password: 'sesame' })
    const { text } = await openPreview(app, roomId, { cookie: owner.user.cookie })
    const tags = readTags(text)
    expect(tags).toMatchObject({ title: 'Room · Earshot', description: 'A private room on Earshot.' })
    expect(JSON.stringify(tags)).not.toMatch(/owner|Title|image"/)
  })

  it('17.19c a hostile name or title stays text', async () => {
    const app = await startWithPage()
    const { id: roomId, owner } = await openJoinedRoom(app, { trackCount: 1 })
    const hostile = `"><script>alert(1)</script><title>' & $& $1`
    await app.db.updateTable('rooms').set({ name: hostile }).where('id', '=', roomId).execute()
    await upsertTracks(
      app.db,
      [
        {
          ...makeTrack('t1'),
          title: hostile,
          album_art: 'javascript:alert(1)',
          albumArt: 'javascript:alert(1)',
        },
      ],
      2,
    )
    await owner.ask('direct_command', { roomId, command: 'play' })
    const answer = await openPreview(app, roomId)
    expect(answer.text.match(/<script/g)).toHaveLength(1)
    expect(answer.text.match(/<title>/g)).toHaveLength(1)
    expect(readTags(answer.text)).not.toHaveProperty('og:image')
    const escaped = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;title&gt;&apos; &amp; $&amp; $1'
    expect(readTags(answer.text)).toMatchObject({ title: `${escaped} · Earshot`, 'og:title': escaped })
    expect(answer.headers.get('content-security-policy')).not.toContain('unsafe-inline')
  })

  it('17.19d is the general one for an unknown room and an address that is none', async () => {
    const app = await startWithPage()
    for (const path of ['nowhere', '%E0%A4%A', 'x'.repeat(65)]) {
      const { status, text } = await ask(`${app.address}/room/${path}`, { headers: { accept: 'text/html' } })
      expect([path, status]).toEqual([path, path === '%E0%A4%A' ? status : 200])
      expect(text).not.toContain('og:title')
    }
  })
})
