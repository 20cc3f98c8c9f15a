import { AppError } from '@earshot/core/protocol/errors'
import { expect, it } from 'vitest'
import { toUnavailable } from './unavailable.ts'

const failing = (message: string, code?: string): Error => Object.assign(new Error(message), { code })

it.each([
  ['a full disk', failing('no space left on device', 'ENOSPC')],
  ['the full disk of PostgreSQL', failing('could not extend file', '53100')],
  ['too many connections', failing('sorry, too many clients already', '53300')],
  ['a server that shuts down', failing('terminating connection', '57P01')],
  ['a server that starts', failing('the database system is starting up', '57P03')],
  ['a statement that took too long', failing('canceling statement due to statement timeout', '57014')],
  ['a broken connection', failing('Connection terminated unexpectedly')],
  ['a pool without a free connection', failing('timeout exceeded when trying to connect')],
  ['Redis that does not answer', failing('Command timed out')],
])('16.43 %s is `unavailable`, with its cause', (_name, error) => {
  expect(toUnavailable(error)).toMatchObject({ code: 'unavailable', cause: error })
})

it.each([
  failing('duplicate key value violates unique constraint', '23505'),
  failing('no such file', 'ENOENT'),
  new AppError('not_owner'),
  new TypeError('x is not a function'),
])('16.43 any other error stays as it is: %s', (error) => {
  expect(toUnavailable(error)).toBe(error)
})
