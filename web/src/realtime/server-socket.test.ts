import { AppError } from '@earshot/core/protocol/errors'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { callServer, createServerSocket, type EventSocket, type NoteSent } from './server-socket.ts'

interface Sent {
  event: string
  payload: unknown
  answer: (ack: unknown) => void
}

/** A connection whose answers are given by the test. */
class ScriptedSocket implements EventSocket {
  connected = true
  readonly sent: Sent[] = []
  readonly #onDisconnect = new Set<() => void>()

  on(_event: 'disconnect', listener: () => void): void {
    this.#onDisconnect.add(listener)
  }

  off(_event: 'disconnect', listener: () => void): void {
    this.#onDisconnect.delete(listener)
  }

  emit(event: string, payload: unknown, answer: (ack: unknown) => void): void {
    this.sent.push({ event, payload, answer })
  }

  drop(): void {
    this.connected = false
    for (const listener of this.#onDisconnect) listener()
  }
}

const request = { roomId: 'room' }
const ok = { ok: true, data: {} }

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('7.24b the handshake has the version of the client', () => {
  const socket = createServerSocket('http://127.0.0.1', ['websocket'], 1_000)
  expect(socket.auth).toEqual({ clientVersion: '2.0.0' })
})

describe('callServer', () => {
  it('resolves with the data of the acknowledgement', async () => {
    const socket = new ScriptedSocket()
    const call = callServer(socket, 'echo', { timestamp: 5 })
    socket.sent[0]?.answer({ ok: true, data: { timestamp: 5, serverTime: 7 } })
    expect(await call).toEqual({ timestamp: 5, serverTime: 7 })
  })

  it('rejects with the error of the server', async () => {
    const socket = new ScriptedSocket()
    const call = callServer(socket, 'user_left', request)
    socket.sent[0]?.answer({ ok: false, error: { code: 'not_a_member', message: 'Join the room first' } })
    await expect(call).rejects.toEqual(new AppError('not_a_member'))
  })

  it('rejects with `unavailable` without a connection, on a lost one, and on a timeout', async () => {
    const absent = new ScriptedSocket()
    absent.connected = false
    const none = callServer(absent, 'user_left', request)
    await expect(none).rejects.toMatchObject({ code: 'unavailable', reason: 'not_connected' })
    expect(absent.sent).toEqual([])

    const lost = new ScriptedSocket()
    const lostCall = callServer(lost, 'user_left', request)
    lost.drop()
    await expect(lostCall).rejects.toMatchObject({ code: 'unavailable', reason: 'lost' })

    const silent = callServer(new ScriptedSocket(), 'user_left', request, { timeoutMs: 3_000 })
    const outcome = silent.catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await outcome).toMatchObject({ code: 'unavailable', reason: 'timed_out' })
  })

  it('7.16b, 7.20b repeats once without an answer, and the first answer counts', async () => {
    const socket = new ScriptedSocket()
    const payload = { roomId: 'room', command: 'play', commandId: 'one' } as const
    const call = callServer(socket, 'direct_command', payload, {
      repeat: { afterMs: 300, payload: { ...payload, isFollowUp: true } },
    })
    await vi.advanceTimersByTimeAsync(299)
    expect(socket.sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(socket.sent.map(({ payload }) => payload)).toEqual([payload, { ...payload, isFollowUp: true }])
    socket.sent[1]?.answer({ ok: true, data: 'repeated' })
    socket.sent[0]?.answer({ ok: true, data: 'late' })
    expect(await call).toBe('repeated')
  })

  it('7.21 repeats under the alternative names too', async () => {
    const socket = new ScriptedSocket()
    const repeat = { afterMs: 1_000, alsoAs: ['sync_request', 'get_sync'] }
    const call = callServer(socket, 'request_sync', request, { repeat })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(socket.sent.map(({ event }) => event)).toEqual([
      'request_sync',
      'request_sync',
      'sync_request',
      'get_sync',
    ])
    socket.sent[3]?.answer(ok)
    await call
  })

  it('does not repeat once answered', async () => {
    const socket = new ScriptedSocket()
    const call = callServer(socket, 'user_left', request, { repeat: { afterMs: 300 } })
    socket.sent[0]?.answer(ok)
    await call
    await vi.advanceTimersByTimeAsync(10_000)
    expect(socket.sent).toHaveLength(1)
  })

  it('2.37b records every message sent, repetitions too, and its outcome', async () => {
    const noted: unknown[] = []
    const noteSent: NoteSent = (event, payload) => {
      noted.push([event, payload])
      return (error) => noted.push([event, error?.code ?? 'taken'])
    }
    const socket = new ScriptedSocket()
    const repeat = { afterMs: 1_000, alsoAs: ['get_sync'] }
    const call = callServer(socket, 'request_sync', request, { repeat, noteSent })
    await vi.advanceTimersByTimeAsync(1_000)
    const sent = [
      ['request_sync', request],
      ['request_sync', request],
      ['get_sync', request],
    ]
    expect(noted).toEqual(sent)
    socket.sent[0]?.answer(ok)
    await call
    socket.sent[1]?.answer(ok)
    expect(noted.slice(sent.length)).toEqual(sent.map(([event]) => [event, 'taken']))

    noted.length = 0
    const refused = callServer(socket, 'user_left', request, { noteSent })
    socket.sent.at(-1)?.answer({ ok: false, error: { code: 'not_a_member', message: 'Join the room first' } })
    await expect(refused).rejects.toThrow('Join the room first')
    const unanswered = callServer(socket, 'user_left', request, { noteSent })
    socket.drop()
    await expect(unanswered).rejects.toMatchObject({ reason: 'lost' })
    expect(noted).toEqual([
      ['user_left', request],
      ['user_left', 'not_a_member'],
      ['user_left', request],
      ['user_left', 'unavailable'],
    ])
  })
})
