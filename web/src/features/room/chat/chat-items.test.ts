import { expect, it } from 'vitest'
import { makeMessage } from '../../../testing/samples.ts'
import { listChatItems } from './chat-items.ts'

const noon = new Date(2026, 5, 15, 12).getTime()
const at = (id: string, minutes: number, sender = 'a') =>
  makeMessage({ id, user_id: sender, created_at: noon + minutes * 60_000 })

it('17.56b groups consecutive messages of one sender until five minutes pass between them', () => {
  const messages = [at('m1', 0), at('m2', 1), at('m3', 5), at('m4', 10), at('m5', 11, 'b')]
  const items = listChatItems(messages, [], 'a').filter((item) => item.kind === 'message')
  expect(items.map(({ isFirst }) => isFirst)).toEqual([true, false, false, true, true])
})

it('17.56b puts a line before each day, which begins a group', () => {
  const messages = [at('m1', 0), at('m2', 12 * 60 - 1), at('m3', 12 * 60 + 1)]
  const items = listChatItems(messages, [], 'a')
  expect(items.map(({ kind }) => kind)).toEqual(['day', 'message', 'message', 'day', 'message'])
  expect(items.at(-1)).toMatchObject({ isFirst: true })
  expect(new Set(items.map(({ key }) => key)).size).toBe(items.length)
})

it('17.54 ends with what is not acknowledged, and keeps its key when it is', () => {
  const outgoing = { id: 'c1', content: 'hi', writtenAtMs: noon + 90_000, failure: null }
  const waiting = listChatItems([at('m1', 1)], [outgoing], 'a').at(-1)
  expect(waiting).toMatchObject({ kind: 'outgoing', isFirst: false })
  const sent = listChatItems([at('m1', 1), { ...at('m2', 2), client_message_id: 'c1' }], [], 'a').at(-1)
  expect(sent).toMatchObject({ kind: 'message', key: waiting?.key })
})
