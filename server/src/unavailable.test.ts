import { AppError } from '@earshot/core/protocol/errors'
import { expect, it } from 'vitest'
import { toUnavailable } from './unavailable.ts'

const failing = (message: string, code?: string): Error => Object.assign(new Error(message), { code })

/** As ioredis passes on an error that Redis answers. */
const answered = (message: string): Error => Object.assign(new Error(message), { name: 'ReplyError' })

it.each([
  ['a full disk', failing('no space left on device', 'ENOSPC')],
  ['too many open files', failing('too many open files', 'EMFILE')],
  ['the full disk of PostgreSQL', failing('could not extend file', '53100')],
  ['too many connections', failing('sorry, too many clients already', '53300')],
  ['a server that shuts down', failing('terminating connection', '57P01')],
  ['a server that starts', failing('the database system is starting up', '57P03')],
  ['a statement that took too long', failing('canceling statement due to statement timeout', '57014')],
  ['a broken connection', failing('Connection terminated unexpectedly')],
  ['a pool without a free connection', failing('timeout exceeded when trying to connect')],
  ['Redis that does not answer', failing('Command timed out')],
  ['Redis that loads its data', answered('LOADING Redis is loading the dataset in memory')],
  ['Redis that is a replica', answered("READONLY You can't write against a read only replica.")],
  ['Redis that is full', answered("OOM command not allowed when used memory > 'maxmemory'.")],
  ['Redis that cannot save', answered('MISCONF Redis is configured to save RDB snapshots, but')],
])('16.43 %s is `unavailable`, with its cause', (_name, error) => {
  expect(toUnavailable(error)).toMatchObject({ code: 'unavailable', cause: error })
})

it.each([
  failing('duplicate key value violates unique constraint', '23505'),
  failing('no such file', 'ENOENT'),
  new AppError('not_owner'),
  new TypeError('x is not a function'),
  answered('ERR wrong number of arguments'),
])('16.43 any other error stays as it is: %s', (error) => {
  expect(toUnavailable(error)).toBe(error)
})
