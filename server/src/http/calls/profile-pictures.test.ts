import { limits } from '@earshot/core/limits'
import type { Profile } from '@earshot/core/protocol/entities'
import { httpApi } from '@earshot/core/protocol/http-api'
import { describe, expect, it } from 'vitest'
import { type TestApp, type TestUser, enterAsGuest, shareApp, signUp } from '../../../test/apps.ts'
import { ask } from '../../../test/ask.ts'
import { freezeWindows } from '../../../test/rate-windows.ts'
import { joinAs, openJoinedRoom } from '../../../test/sockets.ts'
import { startTwo } from '../../../test/two-servers.ts'
import { tinyPng } from '../../../test/wav.ts'
import { deleteAccountRows } from '../../accounts/delete-account.ts'
import { unreadablePictureText } from '../../accounts/profile-pictures.ts'
import { encodeWebp } from '../../images/image-codecs.ts'
import { readDimensions } from '../../images/image-dimensions.ts'
import { sniffImageType } from '../../images/image-types.ts'
import { callRates } from '../../limits/rates.ts'

const { path } = httpApi.setProfilePicture

async function makeImage(width: number, height: number): Promise<Buffer> {
  const data = new Uint8ClampedArray(width * height * 4).fill(200)
  return Buffer.from(await encodeWebp({ width, height, data }))
}

async function setPicture(app: TestApp, user: TestUser, image: Uint8Array): Promise<Profile> {
  const body = { image: Buffer.from(image).toString('base64') }
  return (await app.call<{ profile: Profile }>(user, 'POST', path, body)).profile
}

const removePicture = async (app: TestApp, user: TestUser): Promise<Profile> =>
  (await app.call<{ profile: Profile }>(user, 'DELETE', path)).profile

describe('the picture of a profile', () => {
  const app = shareApp()
  const fetchPicture = async (url: string | null) => await fetch(`${app.address}${url}`)

  it('16.315 is kept smaller, as WebP, and everybody can load it without asking again', async () => {
    const ann = await signUp(app, 'ann')
    const { avatar_url } = await setPicture(app, ann, await makeImage(600, 300))
    expect(avatar_url).toMatch(/^\/api\/pictures\/[\w-]{16}$/)
    const answer = await fetchPicture(avatar_url)
    expect(answer.headers.get('content-type')).toBe('image/webp')
    expect(answer.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect(sniffImageType(bytes)).toBe('image/webp')
    const width = limits.profilePictureSidePx
    expect(readDimensions(bytes)).toEqual({ width, height: width / 2 })
  })

  it('16.315 nothing is kept of what the file tells besides', async () => {
    const ann = await signUp(app, 'ann')
    const secret = 'taken at 52.52 N, 13.405 E'
    const image = Buffer.concat([await makeImage(32, 32), Buffer.from(secret)])
    const { avatar_url } = await setPicture(app, ann, image)
    expect(Buffer.from(await (await fetchPicture(avatar_url)).arrayBuffer()).includes('52.52')).toBe(false)
  })

  it('16.315 another one takes its place, and it can be removed', async () => {
    const ann = await signUp(app, 'ann')
    const first = await setPicture(app, ann, tinyPng)
    const second = await setPicture(app, ann, await makeImage(32, 32))
    expect(second.avatar_url).not.toBe(first.avatar_url)
    expect((await fetchPicture(first.avatar_url)).status).toBe(404)
    const session = await ask(`${app.address}/api/auth/get-session`, { headers: { cookie: ann.cookie } })
    expect(session.json).toMatchObject({ user: { image: second.avatar_url } })
    expect(await removePicture(app, ann)).toMatchObject({ avatar_url: null })
    expect((await fetchPicture(second.avatar_url)).status).toBe(404)
    expect(await removePicture(app, ann)).toMatchObject({ avatar_url: null })
  })

  it('16.315 it goes with the account', async () => {
    const ann = await signUp(app, 'ann')
    const { avatar_url } = await setPicture(app, ann, tinyPng)
    await deleteAccountRows(app.db, ann.id)
    expect((await fetchPicture(avatar_url)).status).toBe(404)
  })

  it('16.316 what is no picture, too large, or of too many pixels is refused, and the one before stays', async () => {
    const ann = await signUp(app, 'ann')
    const { avatar_url } = await setPicture(app, ann, tinyPng)
    const many = Buffer.from(tinyPng)
    many.writeUInt32BE(4_001, 16)
    many.writeUInt32BE(1_000, 20)
    const unreadable = { code: 'invalid_input', message: unreadablePictureText }
    for (const image of [Buffer.from('<svg/>'), tinyPng.subarray(0, 40), many])
      await expect(setPicture(app, ann, image)).rejects.toMatchObject(unreadable)
    const tooLarge = Buffer.alloc(limits.profilePictureMaxBytes + 3)
    await expect(setPicture(app, ann, tooLarge)).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(app.call(ann, 'POST', path, { image: 'no base64!' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    expect(await app.call(ann, 'GET', httpApi.getProfile.path)).toMatchObject({ profile: { avatar_url } })
  })

  it('16.316 a guest has none', async () => {
    const guest = await enterAsGuest(app, 'gus')
    await expect(setPicture(app, guest, tinyPng)).rejects.toMatchObject({ code: 'account_required' })
  })

  it('16.316 one user changes name and picture so many times in a while', async () => {
    freezeWindows()
    const [ann, bob] = [await signUp(app, 'ann'), await signUp(app, 'bob')]
    const rename = (user: TestUser, username: string) =>
      app.call(user, 'PATCH', httpApi.updateProfile.path, { username })
    for (let count = 1; count < callRates.profileChanges.points; count += 1) await rename(ann, `ann ${count}`)
    await setPicture(app, ann, tinyPng)
    await expect(setPicture(app, ann, tinyPng)).rejects.toMatchObject({ code: 'rate_limited' })
    await expect(rename(ann, 'anna')).rejects.toMatchObject({ code: 'rate_limited' })
    await app.call(ann, 'PATCH', httpApi.updateProfile.path, { preferred_source: 'youtube' })
    await setPicture(app, bob, tinyPng)
  })
})

describe('a changed profile', () => {
  it('16.317 is shown at once to the members of the rooms that its user is in, at all processes', async () => {
    const [one, other] = await startTwo()
    const room = await openJoinedRoom(one)
    const owner = room.owner
    const ann = await joinAs(other, room.id, 'ann')
    const { avatar_url } = await setPicture(one, owner.user, tinyPng)
    await one.call(owner.user, 'PATCH', httpApi.updateProfile.path, { username: 'Olive' })
    await ann.hear('userPresence', ({ users }) =>
      users.some((user) => user.username === 'Olive' && user.avatar_url === avatar_url),
    )
    const { room: shown } = await ann.hear('roomUpdate', (update) => update.room.owner.username === 'Olive')
    expect(shown.owner).toEqual({ username: 'Olive', avatar_url })
    await other.call(ann.user, 'PATCH', httpApi.updateProfile.path, { username: 'Anna' })
    await owner.hear('userPresence', (heard) => heard.users.some(({ username }) => username === 'Anna'))
  })

  it('16.317 of somebody who left, nobody is told, and nobody is back', async () => {
    const [app] = await startTwo()
    const room = await openJoinedRoom(app)
    const ann = await joinAs(app, room.id, 'ann')
    await ann.ask('user_left', { roomId: room.id })
    await setPicture(app, ann.user, tinyPng)
    expect(await app.rooms.presence.countMembers(room.id)).toBe(1)
  })
})
