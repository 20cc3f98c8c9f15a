import { expect, it } from 'vitest'
import { makeMessage } from '../../../testing/samples.ts'
import { listChatItems, type ChatContent } from './chat-items.ts'

const noon = new Date(2026, 5, 15, 12).getTime()
const at = (id: string, minutes: number, sender = 'a') =>
  makeMessage({ id, user_id: sender, created_at: noon + minutes * 60_000 })
const list = (content: Partial<ChatContent>) =>
  listChatItems({ messages: [], isWhole: true, lines: [], outgoing: [], viewerId: 'a', ...content })

it('17.56b groups consecutive messages of one sender until five minutes pass between them', () => {
  const messages = [at('m1', 0), at('m2', 1), at('m3', 5), at('m4', 10), at('m5', 11, 'b')]
  const items = list({ messages }).filter((item) => item.kind === 'message')
  expect(items.map(({ isFirst }) => isFirst)).toEqual([true, false, false, true, true])
})

it('17.56b puts a line before each day, which begins a group', () => {
  const messages = [at('m1', 0), at('m2', 12 * 60 - 1), at('m3', 12 * 60 + 1)]
  const items = list({ messages })
  expect(items.map(({ kind }) => kind)).toEqual(['day', 'message', 'message', 'day', 'message'])
  expect(items.at(-1)).toMatchObject({ isFirst: true })
  expect(new Set(items.map(({ key }) => key)).size).toBe(items.length)
})

it('17.54 ends with what is not acknowledged, and keeps its key when it is', () => {
  const outgoing = { id: 'c1', content: 'hi', writtenAtMs: noon + 90_000, failure: null }
  const waiting = list({ messages: [at('m1', 1)], outgoing: [outgoing] }).at(-1)
  expect(waiting).toMatchObject({ kind: 'outgoing', isFirst: false })
  const sent = list({ messages: [at('m1', 1), { ...at('m2', 2), client_message_id: 'c1' }] }).at(-1)
  expect(sent).toMatchObject({ kind: 'message', key: waiting?.key })
})

it('17.36 shows what happened between the messages, and nothing from before those that are drawn', () => {
  const line = (id: string, minutes: number) => ({
    id,
    atMs: noon + minutes * 60_000,
    kind: 'joined' as const,
    user: null,
  })
  const lines = [line('early', -1), line('between', 1), line('late', 12 * 60 + 1)]
  const messages = [at('m1', 0), at('m2', 2)]
  const kinds = list({ messages, lines }).map((item) => (item.kind === 'activity' ? item.line.id : item.kind))
  expect(kinds).toEqual(['day', 'early', 'message', 'between', 'message', 'day', 'late'])
  const drawn = list({ messages, lines, isWhole: false }).filter(({ kind }) => kind === 'activity')
  expect(drawn).toHaveLength(2)
})
