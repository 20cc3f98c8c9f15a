import { AppError } from '@earshot/core/protocol/errors'
import { describe, expect, it } from 'vitest'
import { createMessageHistory } from './message-history.ts'

function startHistory() {
  const clock = { nowMs: 1_000 }
  return { clock, history: createMessageHistory(() => clock.nowMs) }
}

describe('the history of messages', () => {
  it('2.37b, 9.17d keeps the last 20 each way, newest first', () => {
    const { history } = startHistory()
    for (let index = 1; index <= 25; index += 1) history.noteSent(`sent-${index}`, null)
    for (let index = 1; index <= 30; index += 1) history.noteReceived(`received-${index}`, null)
    const { sent, received } = history.read()
    const names = (prefix: string, last: number) =>
      Array.from({ length: 20 }, (_, index) => `${prefix}-${last - index}`)
    expect(sent.map(({ event }) => event)).toEqual(names('sent', 25))
    expect(received.map(({ event }) => event)).toEqual(names('received', 30))
  })

  it('2.37b says when a message went out, and when and how it was answered', () => {
    const { clock, history } = startHistory()
    const answerEcho = history.noteSent('echo', { test: 1 })
    clock.nowMs += 30
    const answerJoin = history.noteSent('join_room', { roomId: 'room' })
    clock.nowMs += 12
    answerJoin(new AppError('wrong_password'))
    expect(history.read().sent).toMatchObject([
      {
        event: 'join_room',
        atMs: 1_030,
        outcome: { afterMs: 12, error: new AppError('wrong_password') },
      },
      { event: 'echo', atMs: 1_000, outcome: null },
    ])
    answerEcho(null)
    expect(history.read().sent[1]?.outcome).toEqual({ afterMs: 42, error: null })
  })

  it('2.37b gives nobody a password', () => {
    const { history } = startHistory()
    history.noteSent('join_room', { roomId: 'room', password: 'open sesame' })
    const [message] = history.read().sent
    expect(message?.describe()).toBe('{"roomId":"room","password":"••••••"}')
    expect(JSON.stringify(message)).not.toContain('sesame')
  })

  it('does not bring a message back that is answered late', () => {
    const { history } = startHistory()
    const answer = history.noteSent('echo', null)
    for (let index = 0; index < 20; index += 1) history.noteSent('ping', null)
    answer(null)
    expect(history.read().sent.every(({ event, outcome }) => event === 'ping' && outcome === null)).toBe(true)
  })

  it('reads nothing of a payload that nobody looks at', () => {
    const { history } = startHistory()
    let reads = 0
    const payload = {
      get text() {
        reads += 1
        return 'x'
      },
    }
    history.noteReceived('message', payload)
    expect(reads).toBe(0)
    expect(history.read().received[0]?.describe()).toBe('{"text":"x"}')
    expect(reads).toBe(1)
  })

  it('tells who watches of every change, until they stop', () => {
    const { history } = startHistory()
    const seen: number[] = []
    const stop = history.subscribe(() => seen.push(history.read().sent.length))
    history.noteSent('ping', null)(null)
    expect(seen).toEqual([1, 1])
    stop()
    history.noteSent('ping', null)
    expect(seen).toEqual([1, 1])
  })
})
