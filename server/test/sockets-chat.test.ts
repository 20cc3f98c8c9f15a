import { limits } from '@earshot/core/limits'
import type { AppError } from '@earshot/core/protocol/errors'
import { describe, expect, it, vi } from 'vitest'
import { shareApp, signUp } from './apps.ts'
import { freezeWindows } from './rate-windows.ts'
import { connect, joinAs, openJoinedRoom } from './sockets.ts'
import { serverLimits } from '../src/server-limits.ts'
import { callRates } from '../src/limits/rates.ts'

const refusal = (code: string) => expect.objectContaining({ code })

const app = shareApp()

describe('chat over sockets', () => {
  it('7.19, 3.5, 2.27 a message is stored and reaches every member, with its author as the session has them', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    const sent = await ann.ask('send_message', {
      roomId,
      message: { content: '  hello  ', user_id: owner.user.id },
    })
    expect(sent.message).toMatchObject({
      room_id: roomId,
      user_id: ann.user.id,
      username: 'ann',
      avatar_url: null,
      content: 'hello',
      created_at: expect.any(Number),
    })
    for (const client of [owner, ann]) expect((await client.hear('message')).message).toEqual(sent.message)
    expect((await owner.ask('request_sync', { roomId })).messages).toEqual([sent.message])
  })

  it('16.135 what races with the deletion of its room succeeds or is refused by name', async () => {
    const ben = await connect(app, await signUp(app, 'ben'))
    const outcomes = new Set<string>()
    for (let round = 0; round < 5; round += 1) {
      const { id: roomId, owner } = await openJoinedRoom(app, { trackCount: 0 })
      const path = `/api/rooms/${roomId}`
      const racing = Array.from({ length: 4 }, (_, turn) => [
        ben.ask('join_room', { roomId }),
        owner.ask('send_message', { roomId, message: 'hello' }),
        app.call(owner.user, 'POST', `${path}/invites`, {}),
        app.call(owner.user, 'POST', `${path}/messages`, { content: 'hello' }),
        ...(turn === 1 ? [app.call(owner.user, 'DELETE', path)] : []),
      ])
      for (const result of await Promise.allSettled(racing.flat())) {
        outcomes.add(result.status === 'fulfilled' ? 'done' : (result.reason as AppError).code)
      }
    }
    for (const outcome of outcomes)
      expect(['done', 'room_not_found', 'not_a_member', 'rate_limited']).toContain(outcome)
  })

  it('5.4 a blank message is refused', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    for (const message of [
      '',
      '  \n\t ',
      { content: ' ' },
      'x'.repeat(limits.messageMaxLength + 1),
      '👋'.repeat(limits.messageMaxLength + 1),
    ]) {
      await expect(owner.ask('send_message', { roomId, message })).rejects.toEqual(refusal('invalid_input'))
    }
    expect((await owner.ask('request_sync', { roomId })).messages).toEqual([])
  })

  it('7.6, 6.2a messages are sent and read by call as well, oldest first in pages, by members only', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const path = `/api/rooms/${roomId}/messages`
    const count = 55
    for (let index = 0; index < count; index++) {
      await app.rooms.chat.send({
        roomId,
        author: { id: owner.user.id, isGuest: false },
        content: `message ${index}`,
      })
    }
    type Page = { messages: { id: string; content: string }[]; hasMore: boolean }
    const latest = await app.call<Page>(owner.user, 'GET', path)
    expect(latest.messages).toHaveLength(50)
    expect(latest.messages.at(-1)?.content).toBe(`message ${count - 1}`)
    expect(latest.hasMore).toBe(true)
    const older = await app.call<Page>(owner.user, 'GET', `${path}?before=${latest.messages[0]!.id}`)
    expect(older.messages.map((message) => message.content)).toEqual(
      [0, 1, 2, 3, 4].map((index) => `message ${index}`),
    )
    expect(older.hasMore).toBe(false)

    const sent = await app.call<{ message: { content: string } }>(owner.user, 'POST', path, {
      content: 'by call',
    })
    expect((await owner.hear('message', (heard) => heard.message.content === 'by call')).message).toEqual(
      sent.message,
    )
    const stranger = await joinAs(app, (await openJoinedRoom(app)).id, 'stranger')
    const refused = expect.objectContaining({ code: 'not_a_member' })
    await expect(app.call(stranger.user, 'GET', path)).rejects.toEqual(refused)
    await expect(app.call(stranger.user, 'POST', path, { content: 'hi' })).rejects.toEqual(refused)
    await expect(
      app.call(stranger.user, 'POST', `/api/rooms/${roomId}/queue`, { trackId: 't1' }),
    ).rejects.toEqual(refused)
    await expect(app.call(stranger.user, 'GET', `/api/rooms/${roomId}/queue`)).rejects.toEqual(refused)
  })

  it('5.8c chat has a limit of its own', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    freezeWindows()
    const send = () => owner.askRaw('send_message', { roomId, message: 'again' })
    const answers = await Promise.all(Array.from({ length: callRates.chat.points + 1 }, send))
    expect(answers.map((answer) => answer.ok)).toEqual([true, true, true, true, true, false])
    expect(await owner.ask('direct_command', { roomId, command: 'play' })).toMatchObject({ applied: true })
  })

  it('17.50 a message has at most 1,000 characters, each code point counted once, through both ways', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const longest = '👋'.repeat(limits.messageMaxLength)
    const { message } = await owner.ask('send_message', { roomId, message: longest })
    expect(message.content).toBe(longest)
    const path = `/api/rooms/${roomId}/messages`
    await app.call(owner.user, 'POST', path, { content: longest })
    await expect(app.call(owner.user, 'POST', path, { content: `${longest}!` })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  it('17.51 a repeated message is stored and broadcast once, also through the other way', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    const once = { roomId, message: 'only once', clientMessageId: 'c1' }
    const { message } = await ann.ask('send_message', once)
    expect(message.client_message_id).toBe('c1')
    expect(await ann.ask('send_message', once)).toEqual({ message })
    const body = { content: 'only once', clientMessageId: 'c1' }
    expect(await app.call(ann.user, 'POST', `/api/rooms/${roomId}/messages`, body)).toEqual({ message })

    const other = await owner.ask('send_message', once)
    expect(other.message.id).not.toBe(message.id)
    await ann.hear('message', (heard) => heard.message.id === other.message.id)
    expect(ann.all('message').map((heard) => heard.message)).toEqual([message, other.message])
    expect((await owner.ask('request_sync', { roomId })).messages).toEqual([message, other.message])
  })

  it('17.51 an id that is too long is refused', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const clientMessageId = 'x'.repeat(65)
    await expect(owner.ask('send_message', { roomId, message: 'hi', clientMessageId })).rejects.toEqual(
      refusal('invalid_input'),
    )
    const path = `/api/rooms/${roomId}/messages`
    await expect(
      app.call(owner.user, 'POST', path, { content: 'hi', clientMessageId }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

describe('reactions', () => {
  it('17.58a reaches every member, also the sender, with the server time at which to show it', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    const before = await ann.ask('ping', { time: 0 })
    await ann.ask('reaction', { roomId, kind: 'love', positionMs: 1_000 })
    const [heard] = await Promise.all([ann.hear('reactions'), owner.hear('reactions')])
    expect(owner.all('reactions')).toEqual([heard])
    expect(heard).toEqual({ roomId, at: expect.any(Number), items: [{ kind: 'love', count: 1 }] })
    // The instant is rounded to a whole millisecond, the answer to the probe is not.
    expect(heard.at).toBeGreaterThanOrEqual(Math.floor(before.receivedAtMs) + serverLimits.reactionLeadMinMs)
    await app.call(owner.user, 'POST', `/api/rooms/${roomId}/reactions`, { kind: 'fire' })
    await ann.hear('reactions', ({ items }) => items.some(({ kind }) => kind === 'fire'))
  })

  it('17.58a is for members, of known kinds, and is not stored', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const stranger = await joinAs(app, (await openJoinedRoom(app)).id, 'stranger')
    const path = `/api/rooms/${roomId}/reactions`
    await expect(stranger.ask('reaction', { roomId, kind: 'love' })).rejects.toEqual(refusal('not_a_member'))
    await expect(app.call(stranger.user, 'POST', path, { kind: 'love' })).rejects.toMatchObject({
      code: 'not_a_member',
    })
    for (const kind of ['__proto__', 'LOVE', '', 7]) {
      await expect(owner.ask('reaction', { roomId, kind })).rejects.toEqual(refusal('invalid_input'))
      await expect(app.call(owner.user, 'POST', path, { kind })).rejects.toMatchObject({
        code: 'invalid_input',
      })
    }
    expect(owner.all('reactions')).toEqual([])
  })

  it('17.58b a client that sends 1,000 a second causes a bounded number of small broadcasts, and is cut off', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const rude = await joinAs(app, roomId, 'rude')
    const ended = new Promise((resolve) => rude.socket.once('disconnect', resolve))
    for (let sent = 0; sent < 1_000; sent++) rude.socket.emit('reaction', { roomId, kind: 'love' })
    await ended
    await owner.ask('reaction', { roomId, kind: 'wow' })
    await owner.hear('reactions', ({ items }) => items.some(({ kind }) => kind === 'wow'))
    const items = owner.all('reactions').flatMap((heard) => heard.items)
    const loved = items.filter(({ kind }) => kind === 'love').reduce((sum, { count }) => sum + count, 0)
    expect(loved).toBeLessThanOrEqual(2 * callRates.reaction.points)
    expect(owner.all('reactions').length).toBeLessThanOrEqual(2 * callRates.reaction.points)
    expect(await owner.ask('send_message', { roomId, message: 'quiet again' })).toBeDefined()
  })

  it('17.58b many members who react at once cost each member one batch with a count', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const members = await Promise.all(
      Array.from({ length: 20 }, (_, index) => joinAs(app, roomId, `m${index}`)),
    )
    const asked = members.flatMap((member) =>
      [0, 1].map(() => member.ask('reaction', { roomId, kind: 'party' })),
    )
    await Promise.all(asked)
    const total = () =>
      owner
        .all('reactions')
        .flatMap(({ items }) => items)
        .reduce((sum, { count }) => sum + count, 0)
    await vi.waitFor(() => expect(total()).toBe(40))
    expect(owner.all('reactions').length).toBeLessThan(20)
  })
})
