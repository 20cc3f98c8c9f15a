import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { captureLog } from '../../test/log.ts'
import type { Db } from '../db/database.ts'
import { createEventBus } from '../events.ts'
import { newId, newSortableId } from '../ids.ts'
import { createSharedRateLimiter } from '../limits/rate-limits.ts'
import { serverLimits } from '../server-limits.ts'
import { createChat } from './chat.ts'
import { initialPlaybackColumns } from './store/stored-room.ts'
import { otherRates } from '../limits/rates.ts'

const logger = pino({ level: 'silent' })

async function insertRoom(db: Db, id: string): Promise<void> {
  const row = { id, name: id, owner_id: 'ann', is_public: 1, password: null, preferred_source: 'library' }
  const rest = { created_at: 1, settings: '{}', controller_id: null, search_text: id }
  await db
    .insertInto('rooms')
    .values({ ...row, ...initialPlaybackColumns(1), ...rest })
    .execute()
}

async function insertMessages(db: Db, roomId: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({
    id: newSortableId(1_000 + n),
    room_id: roomId,
    user_id: 'ann',
    content: String(n),
    created_at: 1_000 + n,
  }))
  for (let at = 0; at < count; at += 500)
    await db
      .insertInto('messages')
      .values(rows.slice(at, at + 500))
      .execute()
}

describeDatabases('the size of the chat', (open) => {
  const makeChat = (db: Db, redis: Redis | null, { log = logger, events = createEventBus(logger) } = {}) => {
    const clock = createFakeClock(1_000_000_000)
    return createChat({ db, clock, logger: log, redis, events })
  }
  const openChat = async (redis: Redis | null = null) => {
    const db = await open()
    const chat = makeChat(db, redis)
    return { db, chat }
  }
  const ann = { id: 'ann', name: 'Ann', username: 'Ann', isGuest: false }
  const countOf = async (db: Db, roomId: string) => {
    const rows = await db.selectFrom('messages').select('id').where('room_id', '=', roomId).execute()
    return rows.length
  }

  it('16.260 of a room the newest 10,000 messages are kept', async () => {
    const { db, chat } = await openChat()
    for (const id of ['full', 'other']) await insertRoom(db, id)
    await insertMessages(db, 'full', serverLimits.messagesMax + 300)
    await insertMessages(db, 'other', 1)
    const becomes = (count: number) => vi.waitFor(async () => expect(await countOf(db, 'full')).toBe(count))
    await chat.send({ roomId: 'full', author: ann, content: 'newest' })
    await becomes(serverLimits.messagesMax)
    expect(await countOf(db, 'other')).toBe(1)
    const oldest = await db
      .selectFrom('messages')
      .select('content')
      .where('room_id', '=', 'full')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    expect(oldest?.content).toBe('301')
    // Then with each 100th message, whatever others of the room send meanwhile.
    for (let sent = 0; sent < 99; sent += 1) await chat.send({ roomId: 'full', author: ann, content: 'more' })
    expect(await countOf(db, 'full')).toBe(serverLimits.messagesMax + 99)
    await chat.send({ roomId: 'full', author: ann, content: 'more' })
    await becomes(serverLimits.messagesMax)
  })

  it('16.303, 17.476 all messages of a user go from one room in steps of 500, and are told once', async () => {
    const db = await open()
    const deleted: number[] = []
    const counting = db.withPlugin({
      transformQuery({ node }) {
        if (node.kind === 'DeleteQueryNode') deleted.push(node.where ? 1 : 0)
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const events = createEventBus(logger)
    const told: unknown[] = []
    events.on('messagesDeleted', (event) => void told.push(event))
    const chat = makeChat(counting, null, { events })
    for (const id of ['room', 'other']) await insertRoom(db, id)
    await insertMessages(db, 'room', 1_201)
    await insertMessages(db, 'other', 1)
    const { id } = await chat.send({ roomId: 'room', author: { ...ann, id: 'ben' }, content: 'hello' })
    await chat.deleteAllOf('ann', 'room')
    expect((await chat.list('room', null)).messages.map((message) => message.id)).toEqual([id])
    expect(await countOf(db, 'other')).toBe(1)
    expect(deleted.length).toBeGreaterThanOrEqual(3)
    expect(told).toEqual([{ roomId: 'room', userId: 'ann', upToId: expect.any(String) }])
  })

  it('16.260 a message is sent, and answered, also where the oldest cannot be deleted', async () => {
    const db = await open()
    await insertRoom(db, 'room')
    const withoutDeletion = db.withPlugin({
      transformQuery({ node }) {
        if (node.kind === 'DeleteQueryNode') throw new Error('locked')
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const { lines, logger: log } = captureLog('warn')
    const chat = makeChat(withoutDeletion, null, { log })
    expect(await chat.send({ roomId: 'room', author: ann, content: 'hello' })).toMatchObject({
      content: 'hello',
    })
    await vi.waitFor(() => expect(lines[0]?.msg).toContain('Could not delete the oldest messages'))
  })

  it('16.259 a user sends at most 3,000 messages a day, to all processes together; others are no worse off', async () => {
    const redis = new Redis(inject('redisUrl'))
    onTestFinished(() => redis.disconnect())
    await redis.ping()
    const first = await openChat(redis)
    await insertRoom(first.db, 'room')
    const second = makeChat(first.db, redis)
    const chatty = { ...ann, id: newId() }
    const { chatDaily } = otherRates

    await createSharedRateLimiter('chat-daily', chatDaily, redis).consume(chatty.id, chatDaily.points - 2)
    const send = (chat: typeof second, author: typeof ann) =>
      chat.send({ roomId: 'room', author, content: 'hello' })
    await send(first.chat, chatty)
    await send(second, chatty)
    // No message waits for Redis, so a process may send one more.
    for (const chat of [first.chat, second])
      await vi.waitFor(() => expect(send(chat, chatty)).rejects.toMatchObject({ code: 'rate_limited' }))
    await send(second, ann)
    expect(chatDaily).toEqual({ points: 3_000, perMs: 24 * 60 * 60 * 1_000 })
  })
})
