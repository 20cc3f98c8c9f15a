import { describe, expect, it } from 'vitest'
import {
  AppError,
  errorCodeSchema,
  errorCodes,
  fromWireError,
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
  })

  it('carries the delay before a retry', () => {
    const wire = toWireError(new AppError('rate_limited', undefined, { retryAfterMs: 1_500 }))
    expect(wire).toMatchObject({ code: 'rate_limited', retryAfterMs: 1_500 })
    expect(fromWireError(wire).details).toEqual({ retryAfterMs: 1_500 })
  })
})
