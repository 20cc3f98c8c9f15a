import { limits } from '@earshot/core/limits'
import type { Message } from '@earshot/core/protocol/entities'
import { describe, expect, it } from 'vitest'
import type { RoomState } from '../state/room-state.ts'
import { emptyRoom, makeOwnersMessage, ownerId } from '../testing/room-fixtures.ts'
import {
  applyLatestMessages,
  applyMessage,
  applyMessageDeleted,
  applyMessagesDeleted,
  applyOlderMessages,
  countUnread,
  markRead,
} from './chat-history.ts'

const pageFrom = (start: number, count: number = limits.messagesPageSize) =>
  Array.from({ length: count }, (_, index) => makeOwnersMessage(`m-${start + index}`))
const page = pageFrom(100)
const nowMs = 60_000
const applyPage = (state: RoomState, messages: Message[], serverTime = nowMs) =>
  applyLatestMessages(state, { messages, serverTime })
const idsOf = ({ messages }: RoomState) => messages.map(({ id }) => id)
const overtaking = { ...makeOwnersMessage('m-900'), created_at: nowMs - 1_000 }
const fromBob = (id: string): Message => ({ ...makeOwnersMessage(id), user_id: 'bob' })

describe('the latest page of the chat', () => {
  it('continues the known chat, or replaces it if more was missed', () => {
    const first = applyPage(emptyRoom(), page)
    expect(first.hasOlderMessages).toBe(true)
    const older = { beforeId: 'm-100', messages: [makeOwnersMessage('m-001')], hasMore: false }
    const latest = [...page.slice(1), makeOwnersMessage('m-200')]
    const continued = applyPage(applyOlderMessages(first, older), latest)
    expect(continued.messages).toHaveLength(limits.messagesPageSize + 2)
    expect(continued.hasOlderMessages).toBe(false)
    const later = pageFrom(500)
    const replaced = applyPage(continued, later)
    expect(replaced.messages).toEqual(later)
    expect(replaced.hasOlderMessages).toBe(true)
  })

  it('has no older messages after a short history', () => {
    expect(applyPage(emptyRoom(), page.slice(1)).hasOlderMessages).toBe(false)
  })

  it('17.56a, 17.33 removes what was deleted meanwhile, and keeps a message that overtook it', () => {
    const known = applyMessage(applyPage(emptyRoom(), page.slice(1, 5)), overtaking)
    expect(idsOf(applyPage(known, [page[1]!, page[3]!]))).toEqual(['m-101', 'm-103', 'm-900'])
    expect(idsOf(applyPage(known, []))).toEqual(['m-900'])
    expect(idsOf(applyPage(known, [page[1]!], nowMs + 10_000))).toEqual(['m-101'])
    // They may be newer than the page.
    expect(idsOf(applyPage(known, [page[1]!], 1_000))).toEqual(idsOf(known))
  })

  it('17.33 removes the newest messages of a long chat, and keeps those before the page', () => {
    const older = { beforeId: 'm-100', messages: [makeOwnersMessage('m-001')], hasMore: true }
    const known = applyOlderMessages(applyPage(emptyRoom(), page), older)
    const latest = [makeOwnersMessage('m-099'), ...page.slice(0, -1)]
    expect(idsOf(applyPage(known, latest))).toEqual(['m-001', ...latest.map(({ id }) => id)])
  })

  it('keeps what the viewer scrolled up to when a message overtakes a full page', () => {
    const older = { beforeId: 'm-100', messages: [makeOwnersMessage('m-001')], hasMore: true }
    const known = applyOlderMessages(applyPage(emptyRoom(), page), older)
    const overtaken = applyPage(applyMessage(known, overtaking), page)
    expect(idsOf(overtaken)).toEqual(['m-001', ...page.map(({ id }) => id), 'm-900'])
  })

  it('keeps the objects of unchanged messages, so that they are not drawn again', () => {
    const known = applyPage(emptyRoom(), page)
    const again = applyPage(
      known,
      page.map((message) => ({ ...message })),
    )
    expect(again.messages.every((message, index) => message === known.messages[index])).toBe(true)
  })
})

describe('messages', () => {
  it('7.23b are in the order of their ids, each once', () => {
    const ids = ['m-3', 'm-1', 'm-2', 'm-3']
    const state = ids.reduce((before, id) => applyMessage(before, makeOwnersMessage(id)), emptyRoom())
    expect(idsOf(state)).toEqual(['m-1', 'm-2', 'm-3'])
  })

  it('17.52 ignore an older page that no longer joins them', () => {
    const replaced = applyPage(applyPage(emptyRoom(), page), pageFrom(500))
    const late = { beforeId: 'm-100', messages: [makeOwnersMessage('m-001')], hasMore: true }
    expect(applyOlderMessages(replaced, late)).toBe(replaced)
  })

  it('17.56a disappear when they are deleted', () => {
    const state = applyPage(emptyRoom(), page)
    expect(idsOf(applyMessageDeleted(state, 'm-120'))).not.toContain('m-120')
    expect(applyMessageDeleted(state, 'nothing')).toBe(state)
  })

  it('17.476 of a user disappear when they are all deleted, but for later ones', () => {
    const said = [fromBob('m-1'), makeOwnersMessage('m-2'), fromBob('m-3'), fromBob('m-4')]
    const state = said.reduce(applyMessage, emptyRoom())
    const { user_id: userId } = fromBob('m-1')
    const left = applyMessagesDeleted(state, { userId, upToId: 'm-3' })
    expect(idsOf(left)).toEqual(['m-2', 'm-4'])
    expect(applyMessagesDeleted(left, { userId, upToId: 'm-3' })).toBe(left)
  })

  it('17.51 take the place of what the viewer sent, not of what another member sent with the same id', () => {
    const outgoing = [{ id: 'c1', content: 'hi', writtenAtMs: 0, failure: null }]
    const waiting = { ...emptyRoom(), outgoing }
    expect(applyMessage(waiting, { ...fromBob('m-1'), client_message_id: 'c1' }).outgoing).toEqual(outgoing)
    const arrived = { ...makeOwnersMessage('m-1'), user_id: ownerId, client_message_id: 'c1' }
    expect(applyMessage(waiting, arrived).outgoing).toEqual([])
    expect(applyPage(waiting, [arrived]).outgoing).toEqual([])
  })
})

describe('unread messages', () => {
  it('17.53 are those of others since the viewer joined, until they are seen', () => {
    const joined = applyPage(emptyRoom(), page)
    expect(countUnread(joined)).toBe(0)
    const later = [fromBob('m-200'), makeOwnersMessage('m-201'), fromBob('m-202')].reduce(
      applyMessage,
      joined,
    )
    expect(countUnread(later)).toBe(2)
    expect(countUnread(markRead(later))).toBe(0)
    expect(countUnread(applyMessageDeleted(later, 'm-202'))).toBe(1)
  })

  it('17.53 count from the first message of an empty chat, and over a lost connection', () => {
    const joined = applyPage(emptyRoom(), [])
    const later = applyMessage(joined, fromBob('m-1'))
    expect(countUnread(later)).toBe(1)
    expect(countUnread(applyPage(later, [fromBob('m-1'), fromBob('m-2')]))).toBe(2)
  })
})
