import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ErrorCode } from '../protocol/errors.ts'
import { createMembershipRun } from '../testing/membership-run.ts'
import type { MembershipEvent } from './membership.ts'

const roomId = 'r1'
const enter: MembershipEvent = { type: 'enter', roomId, copySavedAtMs: null }
const fail = (code: ErrorCode): MembershipEvent => ({ type: 'join_failed', roomId, code })

describe('a membership after any events', () => {
  const events = fc.constantFrom<MembershipEvent>(
    enter,
    { type: 'connected' },
    { type: 'disconnected' },
    { type: 'joined', roomId },
    fail('unavailable'),
    fail('password_required'),
    { type: 'room_lost' },
    { type: 'retry' },
    { type: 'due' },
  )

  it('never joins twice at once or without a connection, and always joins once the server accepts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(events, fc.integer({ min: 0, max: 6_000 })), { maxLength: 40 }),
        (history) => {
          const run = createMembershipRun()
          run.send(enter)
          for (const [event, waitMs] of history) {
            run.send(event)
            run.pass(waitMs)
            const { isConnected, joiningSinceMs } = run.state
            expect(joiningSinceMs !== null && !isConnected).toBe(false)
          }
          run.send({ type: 'disconnected' })
          run.send({ type: 'connected' })
          run.send({ type: 'retry' })
          run.send({ type: 'joined', roomId })
          expect(run.phase).toBe('joined')
          expect(run.state.isJoined).toBe(true)
        },
      ),
    )
  })
})
