import { AppError } from '@earshot/core/protocol/errors'
import type { ClientAck, ClientEventName } from '@earshot/core/protocol/socket-events'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { callServer, type CallOptions, type EventSocket } from '../realtime/server-socket.ts'
import type { ServerCalls } from '../realtime/server-connection.ts'
import { RoomMembership } from './membership.ts'
import { makeSnapshot } from './testing/room-fixtures.ts'

type Answer = () => unknown
type Acknowledge = (ack: unknown) => void

const room = { roomId: 'room', user: { id: 'ann' } }

/** Enters a room over a connection that acknowledges nothing by itself. */
function enterSilently() {
  const joins: Acknowledge[] = []
  const joined: string[] = []
  const emit = (_event: string, _payload: unknown, acknowledge: Acknowledge) => joins.push(acknowledge)
  const socket = { connected: true, on: () => undefined, off: () => undefined, emit }
  const membership = new RoomMembership({
    roomId: 'room',
    userId: 'ann',
    connection: {
      isConnected: () => true,
      call: (event, payload, options) => callServer(socket as EventSocket, event, payload, options),
    },
    onJoined: (snapshot) => joined.push(snapshot.room.id),
    onPhase: () => undefined,
    onLeft: () => undefined,
  })
  membership.enter(null)
  membership.onConnected()
  return { membership, joins, joined }
}

/** Enters a room; each join gets the next of the answers, or none. */
function enterRoom(answers: Answer[], copySavedAtMs: number | null = null) {
  const calls: { event: ClientEventName; payload: unknown; timeoutMs: number | undefined }[] = []
  const phases: string[] = []
  const retries: (number | null)[] = []
  const joined: string[] = []
  const left: string[] = []
  const connection: ServerCalls = {
    isConnected: () => true,
    call: async <Name extends ClientEventName>(
      event: Name,
      payload: unknown,
      { timeoutMs }: CallOptions<Name> = {},
    ) => {
      calls.push({ event, payload, timeoutMs })
      const answer = event === 'join_room' ? answers.shift() : () => ({})
      return (answer ? answer() : new Promise(() => undefined)) as ClientAck<Name>
    },
  }
  const membership = new RoomMembership({
    roomId: 'room',
    userId: 'ann',
    connection,
    onJoined: (snapshot) => joined.push(snapshot.room.id),
    onPhase: (phase, joinError, retryAtMs) => {
      phases.push(joinError ? `${phase}: ${joinError}` : phase)
      retries.push(retryAtMs)
    },
    onLeft: () => left.push('left'),
  })
  membership.enter(copySavedAtMs)
  const joins = () => calls.filter(({ event }) => event === 'join_room')
  return { membership, calls, joins, phases, retries, joined, left }
}

const welcome: Answer = () => makeSnapshot()
const refuse =
  (code: ConstructorParameters<typeof AppError>[0]): Answer =>
  () => {
    throw new AppError(code)
  }
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('RoomMembership', () => {
  it('joins once connected, and passes on the snapshot', async () => {
    const { membership, joins, phases, joined } = enterRoom([welcome])
    expect(joins()).toEqual([])
    membership.onConnected()
    await pass(0)
    expect(joined).toEqual(['room'])
    expect(phases.at(-1)).toBe('joined')
  })

  it('4.8a tries a failed join again, 2 s apart', async () => {
    const { membership, joins, phases } = enterRoom([refuse('unavailable'), refuse('internal'), welcome])
    membership.onConnected()
    await pass(3_999)
    expect(joins()).toHaveLength(2)
    await pass(1)
    expect(joins()).toHaveLength(3)
    expect(phases.at(-1)).toBe('joined')
  })

  it('4.8a, 9.8 a join that is not answered is sent again every 5 s, and the first answer counts', async () => {
    const { joins, joined } = enterSilently()
    await pass(4_999)
    expect(joins).toHaveLength(1)
    await pass(5_001)
    expect(joins).toHaveLength(3)
    joins[0]?.({ ok: true, data: makeSnapshot() })
    joins[1]?.({ ok: true, data: makeSnapshot() })
    await pass(60_000)
    expect(joined).toEqual(['room'])
    expect(joins).toHaveLength(3)
  })

  it('4.8a, 6.4a a password that is not answered is not sent again, which would be another attempt', async () => {
    const { membership, joins } = enterSilently()
    joins[0]?.({ ok: false, error: { code: 'password_required', message: '' } })
    await pass(2_000)
    membership.submitPassword('secret')
    await pass(14_000)
    expect(joins).toHaveLength(2)
  })

  it('4.7e sends one join at a time despite repeated retries', async () => {
    const { membership, joins } = enterRoom([])
    membership.onConnected()
    membership.retry()
    membership.retry()
    await pass(1_999)
    expect(joins()).toHaveLength(1)
  })

  it('4.10a does not treat a join lost with its connection as refused', async () => {
    let lose = (_reason: AppError): void => undefined
    const lost = new Promise<never>((_resolve, reject) => {
      lose = reject
    })
    const { membership, joins, phases } = enterRoom([() => lost, welcome])
    membership.onConnected()
    membership.onDisconnected()
    lose(new AppError('unavailable'))
    await pass(1_000)
    membership.onConnected()
    await pass(0)
    expect(joins()).toHaveLength(2)
    expect(phases.at(-1)).toBe('joined')
    expect(phases.filter((phase) => phase.includes(':'))).toEqual([])
  })

  it('4.8b shows the connecting screen after 15 s without a room', async () => {
    const { membership, phases } = enterRoom([])
    membership.onConnected()
    await pass(14_999)
    expect(phases.at(-1)).toBe('loading')
    await pass(1)
    expect(phases.at(-1)).toBe('connecting')
  })

  it('asks for the password of a private room, and joins with it', async () => {
    const { membership, joins, phases } = enterRoom([
      refuse('password_required'),
      refuse('wrong_password'),
      welcome,
    ])
    membership.onConnected()
    await pass(0)
    expect(phases.at(-1)).toBe('not_found: password_required')
    membership.submitPassword('guess')
    await pass(0)
    expect(phases.at(-1)).toBe('not_found: wrong_password')
    membership.submitPassword('secret')
    await pass(0)
    expect(phases.at(-1)).toBe('joined')
    expect(joins().map(({ payload }) => payload)).toEqual([
      { ...room, password: null, invite: null, queueDeltas: true, longQueues: true, syncChanges: true },
      { ...room, password: 'guess', invite: null, queueDeltas: true, longQueues: true, syncChanges: true },
      { ...room, password: 'secret', invite: null, queueDeltas: true, longQueues: true, syncChanges: true },
    ])
  })

  it('6.4a too many passwords are not sent again, and the page learns when the next is allowed', async () => {
    const tooMany = () => Promise.reject(new AppError('rate_limited', undefined, { retryAfterMs: 20_000 }))
    const { membership, joins, phases, retries } = enterRoom([refuse('password_required'), tooMany])
    membership.onConnected()
    await pass(0)
    membership.submitPassword('guess')
    await pass(60_000)
    expect(phases.at(-1)).toBe('not_found: rate_limited')
    expect(joins()).toHaveLength(2)
    expect(retries.at(-1)).toBeGreaterThan(0)
  })

  it('6.4d joins with the token of an invite link', async () => {
    window.location.hash = '#invite=token-1'
    onTestFinished(() => void (window.location.hash = ''))
    const { membership, joins } = enterRoom([welcome])
    membership.onConnected()
    await pass(0)
    expect(joins().map(({ payload }) => payload)).toEqual([
      { ...room, password: null, invite: 'token-1', queueDeltas: true, longQueues: true, syncChanges: true },
    ])
  })

  it('17.301 an invite link that is opened in the tab of a refused join is tried, and an address without one is not', async () => {
    onTestFinished(() => void (window.location.hash = ''))
    const { membership, joins, phases } = enterRoom([refuse('banned'), welcome])
    membership.onConnected()
    await pass(0)
    expect(phases.at(-1)).toBe('not_found: banned')
    const openHere = (hash: string) => {
      window.location.hash = hash
      window.dispatchEvent(new Event('hashchange'))
    }
    openHere('#elsewhere')
    await pass(0)
    expect(joins()).toHaveLength(1)
    openHere('#invite=token-2')
    await pass(0)
    expect(joins().at(-1)?.payload).toMatchObject({ invite: 'token-2' })
    expect(phases.at(-1)).toBe('joined')
    await membership.leave()
    openHere('#invite=token-3')
    await pass(0)
    expect(joins()).toHaveLength(2)
  })

  it('17.300 a join is waited for as long as loading lasts, so that a slow answer still counts', async () => {
    const { membership, calls } = enterRoom([welcome])
    membership.onConnected()
    await pass(0)
    expect(calls.map(({ event, timeoutMs }) => [event, timeoutMs])).toEqual([['join_room', 15_000]])
  })

  it('4.10a rejoins after a lost connection or membership, and keeps showing the room', async () => {
    const { membership, joins, phases } = enterRoom([welcome, welcome, welcome])
    membership.onConnected()
    await pass(5_000)
    membership.onDisconnected()
    membership.onConnected()
    await pass(5_000)
    membership.onLost()
    await pass(5_000)
    expect(joins()).toHaveLength(3)
    expect(phases.slice(phases.indexOf('joined')).every((phase) => phase === 'joined')).toBe(true)
  })

  it('4.10b shows the recovery copy until the server has answered', () => {
    expect(enterRoom([], Date.now() - 59_000).phases).toEqual(['joined'])
    expect(enterRoom([], Date.now() - 60_000).phases).toEqual(['connecting'])
  })

  it('4.9a, 4.9b notifies the server on leaving, drops the copy, and stops retrying', async () => {
    const { membership, calls, joins, left } = enterRoom([welcome])
    membership.onConnected()
    await pass(0)
    await membership.leave()
    expect(calls.at(-1)).toMatchObject({ event: 'user_left', payload: { roomId: 'room' } })
    expect(left).toEqual(['left'])
    await pass(60_000)
    expect(joins()).toHaveLength(1)
  })

  it('2.7 ignores an answer that arrives after leaving', async () => {
    let answer = (_snapshot: unknown): void => undefined
    const late = new Promise<unknown>((resolve) => {
      answer = resolve
    })
    const { membership, phases, joined } = enterRoom([() => late])
    membership.onConnected()
    await membership.leave()
    const shown = phases.length
    answer(makeSnapshot())
    await pass(60_000)
    expect(joined).toEqual([])
    expect(phases).toHaveLength(shown)
  })

  it('leaves at once without a connection', async () => {
    const { membership, calls } = enterRoom([])
    await membership.leave()
    expect(calls).toEqual([])
  })
})
