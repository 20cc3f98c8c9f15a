import { AppError } from '@earshot/core/protocol/errors'
import { describe, expect, it } from 'vitest'
import { createMessageHistory, describePayload, printPayload } from './message-history.ts'

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

  it('2.37b records when a message was sent, and when and how it was answered', () => {
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

  it('2.37b never exposes a password', () => {
    const { history } = startHistory()
    history.noteSent('join_room', { roomId: 'room', password: 'open sesame' })
    const [message] = history.read().sent
    expect(message?.describe()).toBe('{"roomId":"room","password":"••••••"}')
    expect(JSON.stringify(message)).not.toContain('sesame')
  })

  it('does not restore a message that is answered late', () => {
    const { history } = startHistory()
    const answer = history.noteSent('echo', null)
    for (let index = 0; index < 20; index += 1) history.noteSent('ping', null)
    answer(null)
    expect(history.read().sent.every(({ event, outcome }) => event === 'ping' && outcome === null)).toBe(true)
  })

  it('reads a payload only when it is described', () => {
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

  it('notifies subscribers of every change until they unsubscribe', () => {
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

describe('describePayload', () => {
  it('2.37b masks passwords and other secrets, at any depth', () => {
    expect(describePayload({ roomId: 'room', password: 'open sesame' })).toBe(
      '{"roomId":"room","password":"••••••"}',
    )
    const nested = { user: { access_token: 'abc', clientSecret: { a: 1 } }, list: [{ Authorization: 'b' }] }
    expect(describePayload(nested)).not.toMatch(/abc|"a"|"b"/)
  })

  it('shows that a secret was empty', () => {
    expect(describePayload({ password: null })).toBe('{"password":null}')
    expect(describePayload({ password: '' })).toBe('{"password":""}')
    expect(describePayload({ password: undefined })).toBe('{}')
  })

  it('shortens long texts, long lists and the whole payload', () => {
    expect(describePayload({ text: 'x'.repeat(81) })).toBe(`{"text":"${'x'.repeat(79)}…"}`)
    expect(describePayload([1, 2, 3])).toBe('[1,2,3]')
    expect(describePayload([1, 2, 3, 4, 5])).toBe('[1,2,3,"… 2 more"]')
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`name${index}`, index]))
    expect(describePayload(wide)).toHaveLength(240)
    expect(describePayload(wide, 50)).toHaveLength(50)
  })

  it('is empty without a payload', () => {
    expect(describePayload(undefined)).toBe('')
  })
})

it('printPayload does the same over several lines', () => {
  expect(printPayload({ test: 1, password: 'x' })).toBe('{\n  "test": 1,\n  "password": "••••••"\n}')
})
