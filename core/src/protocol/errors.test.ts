import { describe, expect, it } from 'vitest'
import {
  AppError,
  codeOf,
  errorCodeSchema,
  errorCodes,
  fromWireError,
  hasCode,
  httpStatus,
  toWireError,
  wireErrorSchema,
} from './errors.ts'

describe('errors', () => {
  it('7.23c every code has a status and a message, and survives the wire', () => {
    for (const code of errorCodes) {
      const wire = toWireError(new AppError(code))
      expect(wireErrorSchema.parse(JSON.parse(JSON.stringify(wire)))).toEqual(wire)
      expect(wire.message.length).toBeGreaterThan(0)
      expect(httpStatus[code]).toBeGreaterThanOrEqual(400)
      expect(fromWireError(wire)).toMatchObject({ code, message: wire.message, name: 'AppError' })
    }
    expect(errorCodeSchema.safeParse('something_else').success).toBe(false)
  })

  it('8.1a, 5.3 has the exact messages for a missing session and a missing room', () => {
    expect(new AppError('unauthenticated').message).toBe('User not authenticated')
    expect(new AppError('room_not_found').message).toBe('Room not found')
  })

  it('8.17 only the code of an unexpected error leaves the server', () => {
    const wire = toWireError(new Error('the password of the database is hunter2'))
    expect(wire.code).toBe('internal')
    expect(JSON.stringify(wire)).not.toContain('hunter2')
    expect(toWireError('thrown as a string').code).toBe('internal')
    expect(toWireError(undefined).code).toBe('internal')
    const withCause = new AppError('unavailable', undefined, { cause: new Error('hunter2') })
    expect(toWireError(withCause)).toEqual({ code: 'unavailable', message: withCause.message })
    expect(withCause.cause).toEqual(new Error('hunter2'))
  })

  it('any error has a code, and only an AppError one of its own', () => {
    const full = new AppError('queue_full')
    expect([codeOf(full), codeOf(new Error('queue_full')), codeOf(null)]).toEqual([
      'queue_full',
      'internal',
      'internal',
    ])
    expect(hasCode(full, 'no_track', 'queue_full')).toBe(true)
    expect(hasCode(full, 'no_track')).toBe(false)
    expect(hasCode(new Error('internal'), 'internal')).toBe(false)
  })

  it('carries the delay before a retry', () => {
    const wire = toWireError(new AppError('rate_limited', undefined, { retryAfterMs: 1_500 }))
    expect(wire).toMatchObject({ code: 'rate_limited', retryAfterMs: 1_500 })
    expect(fromWireError(wire).details).toEqual({ retryAfterMs: 1_500 })
  })
})
