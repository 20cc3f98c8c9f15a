import { AppError } from '@earshot/core/protocol/errors'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { answerCalls } from '../testing/contract-network.ts'
import { createQueueActions } from './queue-actions.ts'
import { applyQueue } from './state/queue-updates.ts'
import { joinRoom } from './testing/joined-room.ts'
import { makeQueue, makeShortTrack } from './testing/room-fixtures.ts'

const unlock = () => undefined

describe('editing the queue', () => {
  const refusal = () => {
    throw new AppError('unavailable')
  }

  it('shows an added track as pending, and without it after a failure', async () => {
    answerCalls({ 'POST /api/rooms/:roomId/queue': refusal })
    const { room, store, view } = joinRoom()
    const before = store.getState()
    const adding = createQueueActions(room, unlock).addTrack(makeShortTrack('d'))
    expect(view().queue.at(-1)).toMatchObject({ id: 'd', position: 2, isPending: true })
    await expect(adding).rejects.toMatchObject({ code: 'unavailable' })
    expect(store.getState()).toEqual(before)
  })

  it('shows an added track once, in the order of the server, when it answers', async () => {
    const arrived = makeQueue('b', 'c', 'd')
    const { room, store, view } = joinRoom()
    answerCalls({
      'POST /api/rooms/:roomId/queue': () => {
        store.setState((state) => applyQueue(state, arrived, 2))
        expect(view().queue).toEqual(arrived)
        return { queue: arrived }
      },
    })
    await createQueueActions(room, unlock).addTrack(makeShortTrack('d'))
    expect(view()).toMatchObject({ pending: [], queue: arrived })
  })

  it('queues nothing while there is no track: the added one becomes the track', async () => {
    const { room, store, view } = joinRoom()
    store.setState(({ confirmed }) => ({ confirmed: { ...confirmed, track: null, queue: [] } }))
    answerCalls({ 'POST /api/rooms/:roomId/queue': () => ({ queue: [] }) })
    const adding = createQueueActions(room, unlock).addTrack(makeShortTrack('d'))
    expect(view().queue).toEqual([])
    await adding
  })

  it('12.2 takes back an added track that nobody answers after 10 s', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    answerCalls({ 'POST /api/rooms/:roomId/queue': () => new Promise<never>(() => undefined) })
    const { room, view } = joinRoom()
    const failure = createQueueActions(room, unlock)
      .addTrack(makeShortTrack('d'))
      .catch((error: unknown) => error)
    expect(view().queue).toHaveLength(3)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await failure).toMatchObject({ code: 'unavailable' })
    expect(view()).toMatchObject({ pending: [], queue: [{ id: 'b' }, { id: 'c' }] })
  })

  it('12.2 sends an added track again, under the same id, where the first attempt is not answered in 5 s', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const sent: unknown[] = []
    answerCalls({
      'POST /api/rooms/:roomId/queue': ({ body }) => {
        sent.push(body)
        return sent.length === 1 ? new Promise<never>(() => undefined) : { queue: [] }
      },
    })
    const { room } = joinRoom()
    const adding = createQueueActions(room, unlock).addTrack(makeShortTrack('d'))
    await vi.advanceTimersByTimeAsync(5_000)
    await adding
    expect(sent).toHaveLength(2)
    expect(sent[1]).toEqual(sent[0])
    expect(sent[0]).toMatchObject({ commandId: expect.any(String) })
  })

  it('counts an entry as removed that is gone already', async () => {
    answerCalls({
      'DELETE /api/rooms/:roomId/queue/:entryId': () => {
        throw new AppError('queue_entry_not_found')
      },
    })
    const { room, view } = joinRoom()
    await createQueueActions(room, unlock).removeEntry('entry-b')
    expect(view().pending).toEqual([])
  })

  it('leaves out a removed entry at once, and restores it after a failure', async () => {
    answerCalls({ 'DELETE /api/rooms/:roomId/queue/:entryId': refusal })
    const { room, view } = joinRoom()
    const removing = createQueueActions(room, unlock).removeEntry('entry-b')
    expect(view().queue.map(({ id }) => id)).toEqual(['c'])
    await expect(removing).rejects.toMatchObject({ code: 'unavailable' })
    expect(view().queue.map(({ id }) => id)).toEqual(['b', 'c'])
  })

  it('17.42, 17.43, 17.44 draws a move, an undo and a clearing at once, and takes a refused one back', async () => {
    const { calls, room, view } = joinRoom()
    const { moveEntry, restoreEntry, clearQueue } = createQueueActions(room, unlock)
    const ids = () => view().queue.map(({ id, position }) => `${position}${id}`)
    const [entry] = makeQueue('x')
    const refusals = [
      { command: moveEntry('entry-c', 0), drawn: ['0c', '1b'] },
      { command: restoreEntry(entry!), drawn: ['0x', '1c', '2b'] },
      { command: clearQueue(), drawn: [] },
    ]
    expect(ids()).toEqual(refusals.at(-1)?.drawn)
    for (const call of calls) call.reject(new AppError('unavailable'))
    for (const { command } of refusals) await expect(command).rejects.toMatchObject({ code: 'unavailable' })
    expect(ids()).toEqual(['0b', '1c'])
    expect(calls.map(({ event }) => event)).toEqual(['queue_command', 'queue_command', 'queue_command'])
  })

  it('17.475 what was cleared comes back by one command, drawn at once; says how much did not fit', async () => {
    const { calls, room, view } = joinRoom()
    const { clearQueue, restoreCleared } = createQueueActions(room, unlock)
    const clearing = clearQueue()
    calls[0]?.resolve({ applied: true, queueVersion: 2 })
    const cleared = await clearing
    expect(cleared.entries.map(({ id }) => id)).toEqual(['b', 'c'])
    const restoring = restoreCleared({ ...cleared, entries: makeQueue('x', 'y') })
    expect(view().queue.map(({ id, position }) => `${position}${id}`)).toEqual(['0x', '1y', '2b', '3c'])
    expect(calls[1]?.payload).toMatchObject({ command: { type: 'restore_cleared', clearId: cleared.id } })
    calls[1]?.resolve({ applied: true, queueVersion: 3, omitted: 1 })
    expect(await restoring).toBe(1)
  })
})
