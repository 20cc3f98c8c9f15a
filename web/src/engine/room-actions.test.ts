import { AppError } from '@earshot/core/protocol/errors'
import { describe, expect, it } from 'vitest'
import { sendPlaybackCommand, voteToSkip } from './room-actions.ts'
import { createIncomingEvents } from '../realtime/server-socket.ts'
import { applyQueue } from './state/queue-updates.ts'
import { listenToRoom } from './state/server-updates.ts'
import { joinRoom } from './testing/joined-room.ts'
import { makeQueue, makeState } from './testing/room-fixtures.ts'

describe('sendPlaybackCommand', () => {
  it('shows the command at once, and the state of the server when it answers', async () => {
    const { calls, room, view } = joinRoom()
    const command = sendPlaybackCommand(room, { command: 'play' })
    expect(view().timeline.isPlaying).toBe(true)
    const state = makeState({ isPlaying: true, sequenceNumber: 200, atServerMs: 5_120 })
    calls[0]?.resolve({ applied: true, state })
    await command
    expect(view()).toMatchObject({
      pending: [],
      timeline: { sequenceNumber: 200, atServerMs: 5_120 },
    })
  })

  it('reverts a command that the server refuses, and rejects with the reason', async () => {
    const { calls, store, room, view } = joinRoom()
    const before = store.getState()
    const command = sendPlaybackCommand(room, { command: 'next' })
    expect(view().track?.id).toBe('b')
    calls[0]?.reject(new AppError('not_owner'))
    await expect(command).rejects.toMatchObject({ code: 'not_owner' })
    expect(store.getState()).toEqual(before)
  })

  it('7.20a, 7.20b carries an id, the same one in the repetition that follows a missing answer', () => {
    const { calls, room } = joinRoom()
    void sendPlaybackCommand(room, { command: 'pause' })
    void sendPlaybackCommand(room, { command: 'seek', positionMs: 30_000 })
    const [pause, seek] = calls
    expect(pause).toMatchObject({
      event: 'direct_command',
      payload: { roomId: 'room', command: 'pause', priority: 'high', forceSync: true },
    })
    expect(pause?.options).toMatchObject({
      repeat: { afterMs: 300, payload: { ...(pause?.payload as object), isFollowUp: true } },
    })
    expect(seek).toMatchObject({ payload: { command: 'seek', position: 30_000 } })
    const ids = calls.map(({ payload }) => (payload as { commandId: string }).commandId)
    expect(new Set(ids).size).toBe(2)
  })
})

it('17.470 votes with the number of the last change that this page has seen, and takes the answer', async () => {
  const { calls, room, store } = joinRoom()
  const voting = voteToSkip(room, true)
  expect(calls[0]).toMatchObject({
    event: 'skip_vote',
    payload: { roomId: 'room', sequenceNumber: 100, isFor: true },
  })
  const votes = { trackId: 'a', turn: 100, votes: 1, needed: 2, isOwn: true }
  calls[0]?.resolve({ votes })
  await voting
  expect(store.getState().skipVotes).toEqual(votes)
})

it('17.231 Next names the track that it skips, as it is drawn', () => {
  const { calls, store, room } = joinRoom()
  store.setState((state) => applyQueue(state, makeQueue('b', 'c'), 2))
  void sendPlaybackCommand(room, { command: 'next' })
  void sendPlaybackCommand(room, { command: 'next' })
  expect(calls.map(({ payload }) => payload)).toMatchObject([{ trackId: 'a' }, { trackId: 'b' }])
})

describe('commands in quick succession', () => {
  /** The server skips from `a` to `b` to `c`, and broadcasts as it does: the queue first, then the timeline. */
  const steps = [
    { trackId: 'b', queue: makeQueue('c', 'd'), sequenceNumber: 101 },
    { trackId: 'c', queue: makeQueue('d'), sequenceNumber: 102 },
  ]

  function press(count: number) {
    const { calls, store, room, view } = joinRoom()
    const events = createIncomingEvents()
    listenToRoom('room', events, store)
    store.setState((state) => applyQueue(state, makeQueue('b', 'c', 'd'), 2))
    const drawn: string[] = []
    const note = () => {
      const { track, queue } = view()
      const line = `${track?.id} then ${queue.map(({ id }) => id).join('')}`
      if (drawn.at(-1) !== line) drawn.push(line)
    }
    store.subscribe(note)
    const commands = Array.from({ length: count }, () => sendPlaybackCommand(room, { command: 'next' }))
    const commandIds = calls.map(({ payload }) => (payload as { commandId: string }).commandId)
    const stateAfter = (index: number) => {
      const { trackId = '', sequenceNumber = 0 } = steps[index] ?? {}
      return makeState({ trackId, sequenceNumber, isCueing: true })
    }
    const broadcast = async (index: number) => {
      const { queue = [], sequenceNumber = 0 } = steps[index] ?? {}
      const state = { ...stateAfter(index), command_id: commandIds[index] }
      await events.dispatch('queueUpdate', {
        roomId: 'room',
        queue,
        version: 3 + index,
        sequence_number: sequenceNumber,
      })
      await events.dispatch('playback_updated', { roomId: 'room', state })
    }
    const acknowledge = async (index: number) => {
      calls[index]?.resolve({ applied: true, state: stateAfter(index) })
      await commands[index]
    }
    return { calls, commands, events, drawn, view, broadcast, acknowledge }
  }

  it('12.1 Next twice never shows a skipped track again, in whatever order the answers arrive', async () => {
    const orders = [
      ['broadcast 0', 'acknowledge 0', 'broadcast 1', 'acknowledge 1'],
      ['broadcast 0', 'broadcast 1', 'acknowledge 0', 'acknowledge 1'],
      ['acknowledge 0', 'broadcast 0', 'acknowledge 1', 'broadcast 1'],
    ]
    for (const order of orders) {
      const { drawn, view, broadcast, acknowledge } = press(2)
      for (const step of order) {
        const index = Number(step.at(-1))
        await (step.startsWith('broadcast') ? broadcast(index) : acknowledge(index))
      }
      expect({ order, drawn }).toEqual({ order, drawn: ['b then cd', 'c then d'] })
      expect(view().pending).toEqual([])
    }
  })

  it('12.1 a change by somebody else is drawn below the pending command', async () => {
    const { drawn, events, broadcast, acknowledge } = press(1)
    const arranged = makeQueue('b', 'd', 'c')
    await events.dispatch('queueUpdate', { roomId: 'room', queue: arranged, version: 3 })
    expect(drawn).toEqual(['b then cd', 'b then dc'])
    await broadcast(0)
    await acknowledge(0)
    expect(drawn.at(-1)).toBe('b then cd')
  })

  it('12.1 a refused command is taken back alone', async () => {
    const { calls, commands, view, broadcast, acknowledge } = press(2)
    calls[1]?.reject(new AppError('rate_limited'))
    await expect(commands[1]).rejects.toMatchObject({ code: 'rate_limited' })
    expect(view().track?.id).toBe('b')
    await broadcast(0)
    await acknowledge(0)
    expect(view()).toMatchObject({ track: { id: 'b' }, pending: [] })
  })
})
