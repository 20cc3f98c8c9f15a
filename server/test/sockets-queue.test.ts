import { limits } from '@earshot/core/limits'
import { serverActor } from '@earshot/core/room/room-state'
import { describe, expect, it, vi } from 'vitest'
import { shareApp } from './apps.ts'
import { joinAs, openJoinedRoom, storeTracks } from './sockets.ts'

const refusal = (code: string) => expect.objectContaining({ code })
const toIds = (queue: { id: string }[]): string[] => queue.map((entry) => entry.id)

describe('the queue over sockets', () => {
  const app = shareApp()

  it('7.17, 6.5, 3.3, 7.23a queue_updated adds what is new, takes over the order, and removes nothing', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    await storeTracks(app.db, 4)
    const { queue } = await listener.ask('request_sync', { roomId })
    const [t2, t3] = queue
    listener.forget()

    const added = await listener.ask('queue_updated', {
      roomId,
      queue: [t3, { id: 't4', added_by: 'whoever' }, t2],
    })
    expect(toIds(added.queue)).toEqual(['t3', 't2', 't4'])
    expect(added.queue.map((entry) => entry.position)).toEqual([0, 1, 2])
    expect(added.queue[2]).toMatchObject({ added_by: listener.user.id, title: 'Title of t4' })

    const emptied = await listener.ask('queue_updated', { roomId, queue: [] })
    expect(emptied.queue).toEqual(added.queue)
    const heard = await owner.hear('queueUpdate', (each) => each.queue.length === 3)
    expect(heard.queue).toEqual(added.queue)
  })

  it('7.17 two who arrange at the same time lose nothing, and the later queue says so', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    await storeTracks(app.db, 12)
    const add = (index: number) =>
      (index % 2 === 0 ? owner : listener).ask('queue_updated', { roomId, queue: [{ id: `t${index}` }] })
    await Promise.all([4, 5, 6, 7, 8, 9].map(add))
    const { queue, queueVersion } = await owner.ask('request_sync', { roomId })
    expect(toIds(queue).toSorted()).toEqual(['t2', 't3', 't4', 't5', 't6', 't7', 't8', 't9'])
    expect(queue.map((entry) => entry.position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    await vi.waitFor(() => expect(listener.all('queueUpdate').at(-1)?.version).toBe(queueVersion))
    const versions = listener.all('queueUpdate').map((heard) => heard.version ?? 0)
    expect(versions).toEqual(versions.toSorted((a, b) => a - b))
    expect(listener.all('queueUpdate').at(-1)?.queue).toEqual(queue)
  })

  it('7.5b, 4.18, 5.7b any member removes any entry; one that is not there changes nothing', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    const { queue } = await owner.ask('request_sync', { roomId })
    const path = `/api/rooms/${roomId}/queue/${queue[0]!.entry_id}`
    const answer = await app.call<{ queue: { id: string; position: number }[] }>(
      listener.user,
      'DELETE',
      path,
    )
    expect(answer.queue.map((entry) => [entry.id, entry.position])).toEqual([['t3', 0]])
    await expect(app.call(listener.user, 'DELETE', path)).rejects.toMatchObject({
      code: 'queue_entry_not_found',
    })
    expect(toIds((await owner.ask('request_sync', { roomId })).queue)).toEqual(['t3'])
    await owner.hear('queueUpdate', (heard) => heard.queue.length === 1)
  })

  it('12.2 a track whose addition arrives twice, or once more much later, is added once', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const add = (commandId: string) =>
      app.call(owner.user, 'POST', `/api/rooms/${roomId}/queue`, { trackId: 't1', commandId, brief: true })
    await Promise.all([add('once'), add('once')])
    await add('again')
    await add('once')
    expect(toIds((await owner.ask('request_sync', { roomId })).queue)).toEqual(['t2', 't3', 't1', 't1'])
  })

  it('12.2 a repeated addition is added once in a busy room, too, which has forgotten the command', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    const path = `/api/rooms/${roomId}/queue`
    const call = () => app.call(owner.user, 'POST', path, { trackId: 't1', commandId: 'called', brief: true })
    const command = { type: 'add', trackId: 't1' } as const
    const send = () => owner.ask('queue_command', { roomId, command, commandId: 'sent' })
    const addBoth = () => Promise.all([call(), send()])
    await addBoth()
    for (let count = 0; count <= limits.recentCommandIds; count += 1) {
      const seek = { type: 'seek', positionMs: count, commandId: `c${count}` } as const
      await app.rooms.runtime.runCommand(roomId, seek, serverActor)
    }
    await addBoth()
    const { queue } = await listener.ask('request_sync', { roomId })
    expect(toIds(queue)).toEqual(['t2', 't3', 't1', 't1'])
  })

  it('17.461 a queue that repeats has each track once more after its turn, also after a reload', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    await app.call(owner.user, 'PATCH', `/api/rooms/${roomId}`, { settings: { repeat: true } })
    for (let turn = 1; turn <= 4; turn += 1) {
      await owner.ask('direct_command', { roomId, command: 'next', commandId: `n${turn}` })
    }
    const listener = await joinAs(app, roomId, 'listener')
    const { queue, state } = await listener.ask('request_sync', { roomId })
    expect([state.track_id, ...toIds(queue)]).toEqual(['t2', 't3', 't1'])
  })

  it('7.4 a track that the server did not find itself cannot be queued', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const made = {
      id: 'made-up',
      title: 'Made up',
      source: 'library',
      duration: 1,
      url: 'https://evil.example',
    }
    await expect(owner.ask('queue_updated', { roomId, queue: [made] })).rejects.toEqual(
      refusal('track_not_found'),
    )
    await expect(
      app.call(owner.user, 'POST', `/api/rooms/${roomId}/queue`, { trackId: 'made-up' }),
    ).rejects.toMatchObject({ code: 'track_not_found' })
  })

  it('9.29 a queue takes 1000 entries, and not one more', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const fill = Array.from({ length: limits.queueMaxLength - 2 }, () => ({ id: 't1' }))
    const full = await owner.ask('queue_updated', { roomId, queue: fill })
    expect(full.queue).toHaveLength(limits.queueMaxLength)
    await expect(owner.ask('queue_updated', { roomId, queue: [{ id: 't1' }] })).rejects.toEqual(
      refusal('queue_full'),
    )
    const { queue } = await owner.ask('queue_updated', {
      roomId,
      queue: full.queue.toReversed().map(({ id, entry_id }) => ({ id, entry_id })),
    })
    expect(queue.map((entry) => entry.entry_id)).toEqual(
      full.queue.map((entry) => entry.entry_id).toReversed(),
    )
  })
})
