import { describe, expect, it } from 'vitest'
import type { ErrorCode } from '../protocol/errors.ts'
import { createMembershipRun } from '../testing/membership-run.ts'
import { earliest } from './deadlines.ts'
import { type MembershipEvent, initialMembership } from './membership.ts'

const roomId = 'r1'
const enter: MembershipEvent = { type: 'enter', roomId, copySavedAtMs: null }
const fail = (code: ErrorCode): MembershipEvent => ({ type: 'join_failed', roomId, code })

function connectedRun(): ReturnType<typeof createMembershipRun> {
  const run = createMembershipRun()
  run.send({ type: 'connected' })
  return run
}

function joinedRun(): ReturnType<typeof createMembershipRun> {
  const run = connectedRun()
  run.send(enter)
  run.send({ type: 'joined', roomId })
  return run
}

describe('joining a room', () => {
  it('2.17 goes from connecting to loading to joined', () => {
    const run = createMembershipRun()
    run.send(enter)
    expect(run.phase).toBe('connecting')
    expect(run.joins()).toEqual([])
    run.send({ type: 'connected' })
    expect(run.phase).toBe('loading')
    expect(run.joins()).toHaveLength(1)
    run.send({ type: 'joined', roomId })
    expect(run.phase).toBe('joined')
    expect(earliest(run.state.deadlines)).toBeNull()
  })

  it.each(['room_not_found', 'password_required', 'wrong_password', 'banned'] as const)(
    '4.7a ends when the server refuses with %s',
    (code) => {
      const run = connectedRun()
      run.send(enter)
      run.send(fail(code))
      expect(run.phase).toBe('not_found')
      expect(run.state.refusal).toBe(code)
      run.pass(60_000)
      expect(run.joins()).toHaveLength(1)
    },
  )

  it('17.30 ends when the owner removes the user, who comes back on purpose only', () => {
    const run = joinedRun()
    run.send({ type: 'removed', code: 'not_a_member' })
    expect(run.phase).toBe('not_found')
    expect(run.types()).toContain('drop_copy')
    run.send({ type: 'disconnected' })
    run.send({ type: 'connected' })
    run.pass(60_000)
    expect(run.joins()).toHaveLength(1)
    run.send({ type: 'retry' })
    expect(run.joins()).toHaveLength(2)
    run.send({ type: 'joined', roomId })
    expect(run.phase).toBe('joined')
  })

  it('2.19b continues with the password that the user enters', () => {
    const run = connectedRun()
    run.send(enter)
    run.send(fail('password_required'))
    run.send({ type: 'retry' })
    expect(run.joins()).toHaveLength(2)
    expect(run.phase).toBe('loading')
    run.send({ type: 'joined', roomId })
    expect(run.phase).toBe('joined')
  })

  it('4.7e, 9.7 ignores a second join of the same room within 2 s', () => {
    const run = connectedRun()
    run.send(enter)
    run.send(fail('unavailable'))
    run.pass(1_999)
    run.send(enter)
    expect(run.joins()).toHaveLength(1)
    const joined = joinedRun()
    joined.pass(60_000)
    joined.send(enter)
    expect(joined.joins()).toHaveLength(1)
  })

  it('4.8a, 9.8 is retried up to 3 times, 2 s apart', () => {
    const run = connectedRun()
    run.send(enter)
    for (const expected of [2, 3, 4]) {
      run.send(fail('unavailable'))
      run.pass(1_999)
      expect(run.joins()).toHaveLength(expected - 1)
      run.pass(1)
      expect(run.joins()).toHaveLength(expected)
    }
    const firstAtMs = run.joins()[0]?.atMs ?? 0
    expect(run.joins().map(({ atMs }) => atMs - firstAtMs)).toEqual([0, 2_000, 4_000, 6_000])
  })

  it('4.8a, 9.8 is checked every 5 s while not joined', () => {
    const run = connectedRun()
    run.send(enter)
    for (let attempt = 0; attempt < 4; attempt++) {
      run.send(fail('unavailable'))
      run.pass(2_000)
    }
    const before = run.joins().length
    run.pass(1_999)
    expect(run.joins()).toHaveLength(before)
    run.pass(1)
    expect(run.joins()).toHaveLength(before + 1)
    run.send(fail('unavailable'))
    run.pass(5_000)
    expect(run.joins()).toHaveLength(before + 2)
    const enteredAtMs = run.joins()[0]?.atMs ?? 0
    expect(run.joins().map(({ atMs }) => atMs - enteredAtMs)).toEqual([
      0, 2_000, 4_000, 6_000, 10_000, 15_000,
    ])
  })

  it('4.8a, 9.8 is not checked before a scheduled retry', () => {
    const run = connectedRun()
    run.send(enter)
    run.pass(4_000)
    run.send(fail('unavailable'))
    run.pass(1_999)
    expect(run.joins()).toHaveLength(1)
    run.pass(1)
    expect(run.joins()).toHaveLength(2)
  })

  it('4.8b, 9.5 shows the connecting screen after 15 s without an answer, and the room if it arrives later', () => {
    const run = connectedRun()
    run.send(enter)
    run.pass(14_999)
    expect(run.phase).toBe('loading')
    run.pass(1)
    expect(run.phase).toBe('connecting')
    run.send({ type: 'joined', roomId })
    expect(run.phase).toBe('joined')
  })

  it('4.8b keeps connecting for as long as the server cannot be reached', () => {
    const run = createMembershipRun()
    run.send(enter)
    run.pass(60_000)
    expect(run.phase).toBe('connecting')
    run.send({ type: 'connected' })
    run.send(fail('room_not_found'))
    expect(run.phase).toBe('not_found')
  })

  it('restarts with the full timeout when the user retries', () => {
    const run = connectedRun()
    run.send(enter)
    run.send(fail('unavailable'))
    run.pass(16_000)
    expect(run.phase).toBe('connecting')
    run.send({ type: 'retry' })
    expect(run.phase).toBe('loading')
    run.pass(14_999)
    expect(run.phase).toBe('loading')
  })

  it('ignores an answer that arrives after the connection was lost', () => {
    const run = connectedRun()
    run.send(enter)
    run.send({ type: 'disconnected' })
    run.send({ type: 'joined', roomId })
    expect(run.state.isJoined).toBe(false)
    run.send({ type: 'connected' })
    expect(run.joins()).toHaveLength(2)
  })

  it('6.4a, 17.11a, 17.347 is not retried where guests are not admitted, or after too many passwords', () => {
    const refused = [
      { code: 'guests_not_admitted' },
      { code: 'network_banned' },
      { code: 'rate_limited', hadPassword: true },
    ] as const
    for (const refusal of refused) {
      const run = connectedRun()
      run.send(enter)
      run.send({ type: 'join_failed', roomId, ...refusal })
      run.pass(60_000)
      expect(run.phase).toBe('not_found')
      expect(run.joins()).toHaveLength(1)
    }
  })

  it('ignores answers for another room', () => {
    const run = connectedRun()
    run.send(enter)
    run.send({ type: 'joined', roomId: 'other' })
    run.send({ type: 'join_failed', roomId: 'other', code: 'room_not_found' })
    expect(run.phase).toBe('loading')
  })
})

describe('staying in a room', () => {
  it('4.10a keeps the room visible during a lost connection, and rejoins it even after a short one', () => {
    const run = joinedRun()
    run.send({ type: 'disconnected' })
    expect(run.phase).toBe('joined')
    run.pass(300)
    run.send({ type: 'connected' })
    expect(run.joins()).toHaveLength(2)
    expect(run.phase).toBe('joined')
  })

  it('4.10a rejoins when the server has ended the membership', () => {
    const run = joinedRun()
    run.pass(500)
    run.send({ type: 'room_lost' })
    expect(run.joins()).toHaveLength(2)
    run.send(fail('unavailable'))
    run.pass(2_000)
    expect(run.joins()).toHaveLength(3)
    expect(run.phase).toBe('joined')
  })

  it('ends when the room no longer exists', () => {
    const run = joinedRun()
    run.send({ type: 'disconnected' })
    run.send({ type: 'connected' })
    run.send(fail('room_not_found'))
    expect(run.phase).toBe('not_found')
  })

  it('4.10b, 9.6 starts with the recovery copy if it is under 60 s old', () => {
    const run = createMembershipRun()
    run.send({ type: 'enter', roomId, copySavedAtMs: run.nowMs - 59_999 })
    expect(run.types()).toEqual([])
    expect(run.phase).toBe('joined')
    run.send({ type: 'connected' })
    expect(run.types()).toEqual(['join'])
  })

  it.each([60_000, -1])('4.10b, 9.6 ignores a recovery copy with an age of %d ms', (ageMs) => {
    const run = createMembershipRun()
    run.send({ type: 'enter', roomId, copySavedAtMs: run.nowMs - ageMs })
    expect(run.types()).toEqual([])
    expect(run.phase).toBe('connecting')
  })
})

describe('leaving a room', () => {
  it('4.9a, 4.9b notifies the server and drops the recovery copy', () => {
    const run = joinedRun()
    run.send({ type: 'leave' })
    expect(run.types().slice(1)).toEqual(['notify_leave', 'drop_copy'])
    expect(run.state).toEqual({ ...initialMembership, isConnected: true })
  })

  it('2.7 happens when another room is entered', () => {
    const run = joinedRun()
    run.send({ type: 'enter', roomId: 'r2', copySavedAtMs: null })
    expect(run.types().slice(1)).toEqual(['notify_leave', 'drop_copy', 'join'])
    expect(run.state.roomId).toBe('r2')
    expect(run.phase).toBe('loading')
  })

  it('does nothing without a room', () => {
    const run = connectedRun()
    run.send({ type: 'leave' })
    expect(run.types()).toEqual([])
  })
})
