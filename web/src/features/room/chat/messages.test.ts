import { expect, it } from 'vitest'
import { makeMessage } from '../../../testing/samples.ts'
import { groupMessages } from './messages.tsx'

it('groups consecutive messages of one sender until five minutes pass between them', () => {
  const minutes = [0, 1, 5, 10, 11]
  const users = ['a', 'a', 'a', 'a', 'b']
  const messages = minutes.map((minute, index) =>
    makeMessage({ id: `m${index}`, user_id: users[index], created_at: minute * 60_000 }),
  )
  expect(groupMessages(messages).map((grouped) => grouped.isFirst)).toEqual([true, false, false, true, true])
})
