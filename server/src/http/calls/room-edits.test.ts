import { limits } from '@earshot/core/limits'
import type { Room } from '@earshot/core/protocol/entities'
import { describe, expect, it } from 'vitest'
import { type TestApp, type TestUser, signUp, shareApp, startApp } from '../../../test/apps.ts'
import { captureLog } from '../../../test/log.ts'
import { otherRates } from '../../limits/rates.ts'

const create = async (app: TestApp, user: TestUser, input: object) =>
  (await app.call<{ id: string }>(user, 'POST', '/api/rooms', { name: 'Room', ...input })).id

const join = (app: TestApp, user: TestUser, roomId: string, key: object = {}) =>
  app.call(user, 'POST', `/api/rooms/${roomId}/join`, key)

const edit = async (app: TestApp, user: TestUser | null, roomId: string, body: unknown) =>
  (await app.call<{ room: Room }>(user, 'PATCH', `/api/rooms/${roomId}`, body)).room

describe("the owner's changes of a room", () => {
  const app = shareApp()

  it('17.26 name, settings and privacy change apart, and what is left out stays', async () => {
    const ann = await signUp(app, 'ann')
    const roomId = await create(app, ann, {})
    expect(await edit(app, ann, roomId, { name: '  Kitchen ' })).toMatchObject({
      name: 'Kitchen',
      is_public: true,
    })
    const settings = {
      control: 'owner',
      guests: 'nobody',
      guestsChat: true,
      guestsQueue: true,
      removal: 'anybody',
      listed: true,
      repeat: false,
      skipVotes: 'off',
      waitingTracks: null,
    }
    const sent = { control: 'owner', guests: 'nobody' }
    expect((await edit(app, ann, roomId, { settings: sent })).settings).toEqual(settings)
    const off = { guestsChat: false, guestsQueue: false, listed: false }
    const further = { ...off, removal: 'own', repeat: true, skipVotes: 'third', waitingTracks: 10 }
    const last = await edit(app, ann, roomId, { settings: further })
    expect(last).toMatchObject({ name: 'Kitchen', settings: { ...sent, ...further } })
    expect(await edit(app, ann, roomId, {})).toEqual(last)
  })

  it('16.1 the name loses marks that turn what follows it, and halves of characters', async () => {
    const ann = await signUp(app, 'ann')
    const name = 'a\u202Eb\u2067c\uD800'
    const roomId = await create(app, ann, { name })
    expect((await edit(app, ann, roomId, {})).name).toBe('abc\uFFFD')
    expect((await edit(app, ann, roomId, { name: `${name}d` })).name).toBe('abc\uFFFDd')
  })

  it('17.26 only the owner may, and forged input changes nothing', async () => {
    const [ann, ben] = [await signUp(app, 'ann'), await signUp(app, 'ben')]
    const roomId = await create(app, ann, {})
    await join(app, ben, roomId)
    const before = await edit(app, ann, roomId, {})
    await expect(edit(app, ben, roomId, { name: 'Mine' })).rejects.toMatchObject({ code: 'not_owner' })
    await expect(edit(app, null, roomId, { name: 'Mine' })).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(edit(app, ann, 'none', { name: 'Mine' })).rejects.toMatchObject({ code: 'room_not_found' })
    const forged = [
      { owner_id: ben.id },
      { controller_id: ben.id },
      { name: '\u200B\u3164' },
      { name: 'x'.repeat(limits.roomNameMaxLength + 1) },
      { settings: { control: 'nobody' } },
      { settings: { guestsChat: 'yes' } },
      { settings: { guestsQueue: 1 } },
      { settings: { listed: 'no' } },
      { settings: { repeat: 'no' } },
      { settings: { skipVotes: 'all' } },
      { settings: { waitingTracks: 7 } },
      { settings: { waitingTracks: '3' } },
      { settings: { owner: ben.id } },
      { settings: JSON.parse('{"__proto__": {"control": "everybody"}}') as object },
      { isPublic: 'no' },
      { isPublic: false },
      { isPublic: false, password: '   ' },
      { password: 'x'.repeat(limits.roomPasswordMaxLength + 1) },
      [],
      'name',
    ]
    for (const body of forged) {
      await expect(edit(app, ann, roomId, body)).rejects.toMatchObject({ code: 'invalid_input' })
    }
    expect(await edit(app, ann, roomId, {})).toEqual(before)
  })

  it('17.29 a new password ends admissions and invites, but not those of the members who are there', async () => {
    const [ann, ben, cay, dan] = await Promise.all(
      ['ann', 'ben', 'cay', 'dan'].map((name) => signUp(app, name)),
    )
    const roomId = await create(app, ann!, { isPublic: false, password: 'first' })
    const { token } = await app.call<{ token: string }>(ann!, 'POST', `/api/rooms/${roomId}/invites`)
    await join(app, ben!, roomId, { password: 'first' })
    await join(app, cay!, roomId, { invite: token })
    await app.call(ben!, 'POST', `/api/rooms/${roomId}/leave`)
    expect((await edit(app, ann!, roomId, { password: 'second' })).is_public).toBe(false)
    await expect(join(app, ben!, roomId)).rejects.toMatchObject({ code: 'password_required' })
    await expect(join(app, ben!, roomId, { password: 'first' })).rejects.toMatchObject({
      code: 'wrong_password',
    })
    await expect(join(app, dan!, roomId, { invite: token })).rejects.toMatchObject({
      code: 'password_required',
    })
    await join(app, ben!, roomId, { password: 'second' })
    await join(app, cay!, roomId)
  })

  it('17.29 a public room becomes private with a password, keeps its members, and becomes public again', async () => {
    const [ann, ben, cay] = await Promise.all(['ann', 'ben', 'cay'].map((name) => signUp(app, name)))
    const roomId = await create(app, ann!, {})
    await join(app, ben!, roomId)
    expect((await edit(app, ann!, roomId, { isPublic: false, password: 'word' })).is_public).toBe(false)
    await expect(join(app, cay!, roomId)).rejects.toMatchObject({ code: 'password_required' })
    await join(app, ben!, roomId)
    await edit(app, ann!, roomId, { isPublic: false })
    expect((await edit(app, ann!, roomId, { isPublic: true, password: 'ignored' })).is_public).toBe(true)
    await join(app, cay!, roomId)
  })

  it('17.26 hundred changes are limited to 30 a minute, and each is logged without the password', async () => {
    const { logger, lines } = captureLog('info')
    const app = await startApp({ logger })
    const ann = await signUp(app, 'ann')
    const roomId = await create(app, ann, {})
    const answers = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) => edit(app, ann, roomId, { name: `Room ${index}` })),
    )
    const refused = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason as unknown] : [],
    )
    expect(refused).toHaveLength(100 - otherRates.roomEdits.points)
    expect(refused[0]).toMatchObject({ code: 'rate_limited' })
    const audits = lines.filter((line) => 'audit' in line)
    expect(audits).toHaveLength(otherRates.roomEdits.points)
    expect(audits[0]).toMatchObject({ audit: 'room_updated', roomId, userId: ann.id, changed: ['name'] })
    const ben = await signUp(app, 'ben')
    const other = await create(app, ben, {})
    await edit(app, ben, other, { password: 'a secret word' })
    expect(JSON.stringify(lines)).not.toContain('a secret word')
  })
})
