import { AppError } from '@earshot/core/protocol/errors'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { NoAnswerError } from '../../realtime/server-socket.ts'
import { createRoomStore, update } from '../state/room-state.ts'
import { emptyRoom, makeOwnersMessage, ownerId } from '../testing/room-fixtures.ts'
import { applyMessage } from './chat-history.ts'
import { Outbox, readOutgoing } from './outbox.ts'

/** A server that stores each message once, as the real one does, and fails as a test tells it to. */
function openOutbox() {
  const server = { isConnected: true, stored: new Map<string, string>(), calls: 0, fail: [] as Error[] }
  const lost = vi.fn<() => void>()
  const store = createRoomStore({ ...emptyRoom(), phase: 'joined', outgoing: readOutgoing(ownerId, 'room') })
  const connection = {
    isConnected: () => server.isConnected,
    call: async (_name: string, payload: { message: string; clientMessageId: string }) => {
      server.calls += 1
      const failure = server.fail.shift()
      if (failure instanceof NoAnswerError && failure.reason !== 'not_connected') {
        server.stored.set(payload.clientMessageId, payload.message)
      }
      if (failure) throw failure
      server.stored.set(payload.clientMessageId, payload.message)
      const id = `m-${[...server.stored.keys()].indexOf(payload.clientMessageId) + 1}`
      const content = payload.message
      return { message: { ...makeOwnersMessage(id), content, client_message_id: payload.clientMessageId } }
    },
  }
  const outbox = new Outbox({
    roomId: 'room',
    store,
    connection: connection as never,
    onLost: lost,
  })
  onTestFinished(() => outbox.stop())
  const read = () => {
    const { messages, outgoing } = store.getState()
    return { sent: messages.map(({ content }) => content), waiting: outgoing.map(({ content }) => content) }
  }
  return { server, store, outbox, lost, read }
}

beforeEach(() => {
  sessionStorage.clear()
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

describe('the outbox of the chat', () => {
  it('17.54 shows a message at once, and as sent when the server has it', async () => {
    const { outbox, read } = openOutbox()
    expect(outbox.add('one')).toBe(true)
    outbox.add('two')
    expect(read()).toEqual({ sent: [], waiting: ['one', 'two'] })
    await vi.advanceTimersByTimeAsync(0)
    expect(read()).toEqual({ sent: ['one', 'two'], waiting: [] })
  })

  it('17.54 sends what was written offline, once, in its order, when the room is joined again', async () => {
    const { server, outbox, read } = openOutbox()
    server.isConnected = false
    outbox.add('one')
    outbox.add('two')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.calls).toBe(0)
    server.isConnected = true
    outbox.flush()
    outbox.flush()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(read()).toEqual({ sent: ['one', 'two'], waiting: [] })
    expect(server.calls).toBe(2)
  })

  it('17.54 sends what an earlier page left once the room is joined for the first time', async () => {
    const earlier = openOutbox()
    earlier.server.isConnected = false
    earlier.outbox.add('one')
    earlier.outbox.stop()
    const { store, read } = openOutbox()
    update(store, (state) => ({ ...state, phase: 'loading' }))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(read()).toEqual({ sent: [], waiting: ['one'] })
    update(store, (state) => ({ ...state, phase: 'joined' }))
    await vi.advanceTimersByTimeAsync(0)
    expect(read()).toEqual({ sent: ['one'], waiting: [] })
  })

  it('17.51, 17.54 repeats a message whose answer was lost with the same id', async () => {
    const { server, outbox, read } = openOutbox()
    server.fail = [new NoAnswerError('lost'), new NoAnswerError('timed_out')]
    outbox.add('one')
    await vi.advanceTimersByTimeAsync(10_000)
    expect([...server.stored.values()]).toEqual(['one'])
    expect(server.calls).toBe(3)
    expect(read()).toEqual({ sent: ['one'], waiting: [] })
  })

  it('17.54 keeps what waits over a reload, with its id', async () => {
    const before = openOutbox()
    before.server.isConnected = false
    before.outbox.add('one')
    const [waiting] = before.store.getState().outgoing
    before.outbox.stop()
    const { server, outbox, read } = openOutbox()
    expect(read().waiting).toEqual(['one'])
    outbox.flush()
    await vi.advanceTimersByTimeAsync(0)
    expect([...server.stored.keys()]).toEqual([waiting?.id])
    expect(readOutgoing(ownerId, 'room')).toEqual([])
  })

  it('17.55 waits as long as the server says, then sends what was too fast', async () => {
    const { server, store, outbox, read } = openOutbox()
    server.fail = [new AppError('rate_limited', undefined, { retryAfterMs: 2_500 })]
    outbox.add('one')
    await vi.advanceTimersByTimeAsync(0)
    const { chatPausedUntilMs } = store.getState()
    expect(Math.round((chatPausedUntilMs ?? 0) - performance.timeOrigin - performance.now())).toBe(2_500)
    outbox.add('two')
    await vi.advanceTimersByTimeAsync(2_400)
    expect(server.calls).toBe(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(read()).toEqual({ sent: ['one', 'two'], waiting: [] })
  })

  it('17.54 leaves a refused message to the viewer, and sends the next ones', async () => {
    const { server, store, outbox, read } = openOutbox()
    server.fail = [new AppError('invalid_input'), new AppError('internal')]
    outbox.add('one')
    outbox.add('two')
    outbox.add('three')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(read()).toEqual({ sent: ['three'], waiting: ['one', 'two'] })
    const [one, two] = store.getState().outgoing
    expect([one?.failure, two?.failure]).toEqual(['invalid_input', 'internal'])
    outbox.discard(one?.id ?? '')
    outbox.retry(two?.id ?? '')
    await vi.advanceTimersByTimeAsync(0)
    expect(read()).toEqual({ sent: ['three', 'two'], waiting: [] })
  })

  it('rejoins where the server no longer counts the viewer as a member', async () => {
    const { server, outbox, lost, read } = openOutbox()
    server.fail = [new AppError('not_a_member')]
    outbox.add('one')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(lost).toHaveBeenCalledOnce()
    outbox.flush()
    await vi.advanceTimersByTimeAsync(0)
    expect(read().sent).toEqual(['one'])
  })

  it('17.54 shows a message once whose broadcast overtakes its answer', async () => {
    const { store, outbox, read } = openOutbox()
    outbox.add('one')
    const [waiting] = store.getState().outgoing
    const echo = { ...makeOwnersMessage('m-1'), content: 'one', client_message_id: waiting?.id ?? '' }
    update(store, (state) => applyMessage(state, echo))
    expect(read()).toEqual({ sent: ['one'], waiting: [] })
    await vi.advanceTimersByTimeAsync(0)
    expect(read()).toEqual({ sent: ['one'], waiting: [] })
  })

  it('17.54 takes at most 20 messages at a time', () => {
    const { server, outbox, read } = openOutbox()
    server.isConnected = false
    const taken = Array.from({ length: 25 }, (_, index) => outbox.add(`${index}`))
    expect(taken.filter(Boolean)).toHaveLength(20)
    expect(read().waiting).toHaveLength(20)
  })
})
