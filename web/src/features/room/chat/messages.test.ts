import { expect, it } from 'vitest'
import { makeMessage } from '../../../testing/samples.ts'
import { groupMessages } from './message-groups.ts'

it('puts what one person says in a row under one name, until five minutes have passed', () => {
  const minutes = [0, 1, 5, 10, 11]
  const users = ['a', 'a', 'a', 'a', 'b']
  const messages = minutes.map((minute, index) =>
    makeMessage({ id: `m${index}`, user_id: users[index], created_at: minute * 60_000 }),
  )
  expect(groupMessages(messages).map((drawn) => drawn.opens)).toEqual([true, false, false, true, true])
})
