import { AppError, hasCode } from '@earshot/core/protocol/errors'
import { errorCode } from './error-code.ts'

/** Codes of the network, of the system, and of PostgreSQL: the client may try again later. */
const passingCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
  // Too many open files.
  'EMFILE',
  'ENFILE',
  // Too long a statement, a read-only server, deadlocks and serialisation failures that retries did not solve.
  '57014',
  '25006',
  '40001',
  '40P01',
  // A transaction that paused for too long, as this process stalled.
  '25P03',
  // A restart.
  '57P01',
  '57P02',
  '57P03',
])
/** Of PostgreSQL: connections, resources such as memory and the number of connections, and errors of its disk. */
const passingClasses = ['08', '53', '58']

/** Errors of the PostgreSQL and Redis clients that have no code. */
const passingMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Command timed out|Connection is closed|Stream isn't writeable)/

/**
 * Maps failures of the database, of Redis and of the disk that may pass to `unavailable`, with the original as its
 * cause; returns any other error unchanged. `internal` would say that trying again is useless.
 */
export function toUnavailable(error: unknown): unknown {
  return error instanceof Error && !(error instanceof AppError) && mayPass(error)
    ? new AppError('unavailable', undefined, { cause: error })
    : error
}

/** Whether something failed for a reason that may pass, and that concerns everybody. */
export function isUnavailable(error: unknown): boolean {
  return hasCode(toUnavailable(error), 'unavailable')
}

function mayPass(error: Error): boolean {
  const code = errorCode(error) ?? ''
  const isPostgresCode = /^[0-9A-Z]{5}$/.test(code) && passingClasses.some((name) => code.startsWith(name))
  return passingCodes.has(code) || isPostgresCode || passingMessages.test(error.message) || isRedisAway(error)
}

/** Answers of a Redis that loads its data, is a replica, is full, cannot save or runs a script. */
const passingRedisAnswers = /^(LOADING|READONLY|MASTERDOWN|OOM|MISCONF|NOREPLICAS|BUSY) /

function isRedisAway({ name, message }: Error): boolean {
  return name === 'MaxRetriesPerRequestError' || (name === 'ReplyError' && passingRedisAnswers.test(message))
}
