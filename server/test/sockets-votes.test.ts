import type { RoomSettings } from '@earshot/core/protocol/entities'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type TestApp, enterAsGuest, shareApp } from './apps.ts'
import { freezeWindows } from './rate-windows.ts'
import { type TestClient, connect, joinAs, openJoinedRoom } from './sockets.ts'
import { startTwo } from './two-servers.ts'
import { callRates } from '../src/limits/rates.ts'

const refusal = (code: string) => expect.objectContaining({ code })

/** Opens a room with votes, t1 current, and its owner alone. */
async function openVotingRoom(app: TestApp, settings: Partial<RoomSettings> = { skipVotes: 'half' }) {
  const room = await openJoinedRoom(app, { trackCount: 4 })
  await app.call(room.owner.user, 'PATCH', `/api/rooms/${room.id}`, { settings })
  return room
}

/** Votes as a page does that has seen the current track. */
async function vote(client: TestClient, roomId: string, isFor = true) {
  const { state } = await client.ask('request_sync', { roomId, brief: true })
  const { sequence_number: sequenceNumber } = state
  return (await client.ask('skip_vote', { roomId, sequenceNumber, isFor })).votes
}

const hearVotes = (client: TestClient, expected: object) =>
  vi.waitFor(() => expect(client.all('skip_votes').at(-1)).toMatchObject(expected))

const hearTrack = (client: TestClient, trackId: string) =>
  client.hear('playback_updated', ({ state }) => state.track_id === trackId)

describe('votes to skip over sockets', () => {
  const app = shareApp()

  it('17.470, 17.472 members without the controls vote, everybody hears the count, and enough votes skip', async () => {
    const { id: roomId, owner } = await openVotingRoom(app)
    const [ann, ben] = [await joinAs(app, roomId, 'ann'), await joinAs(app, roomId, 'ben')]
    await expect(ann.ask('direct_command', { roomId, command: 'next' })).rejects.toEqual(refusal('not_owner'))
    const first = await vote(ann, roomId)
    expect(first).toMatchObject({ trackId: 't1', votes: 1, needed: 2, isOwn: true })
    for (const client of [owner, ann, ben]) await hearVotes(client, { votes: 1, needed: 2 })
    expect(await vote(ann, roomId, false)).toMatchObject({ votes: 0, isOwn: false })
    await hearVotes(owner, { votes: 0 })
    await vote(ann, roomId)
    await vote(ben, roomId)
    for (const client of [owner, ann, ben]) {
      await hearTrack(client, 't2')
      await hearVotes(client, { trackId: 't2', votes: 0, needed: 2 })
    }
    const line = await owner.hear('activity', ({ kind }) => kind === 'voted_out')
    expect(line).toMatchObject({ user: null, title: 'Title of t1' })
    const { queue } = await owner.ask('request_sync', { roomId })
    expect(queue.map(({ id }) => id)).toEqual(['t3', 't4'])
  })

  it('17.470 without the setting votes count for nothing, and nobody hears of any', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    expect(await vote(ann, roomId)).toBeNull()
    expect(await vote(owner, roomId)).toBeNull()
    expect([owner, ann].flatMap((client) => client.all('skip_votes'))).toEqual([])
    expect((await owner.ask('request_sync', { roomId })).state.track_id).toBe('t1')
  })

  it('17.471 a user on many connections has one vote, and none for a track that is over', async () => {
    const { id: roomId, owner } = await openVotingRoom(app, { skipVotes: 'half', repeat: true })
    const [ann] = [await joinAs(app, roomId, 'ann'), await joinAs(app, roomId, 'ben')]
    const tabs = await Promise.all(Array.from({ length: 8 }, () => connect(app, ann.user)))
    for (const tab of tabs) {
      await tab.ask('join_room', { roomId })
      await tab.ask('skip_vote', { roomId, sequenceNumber: 1_000, isFor: true })
    }
    await hearVotes(owner, { votes: 1, needed: 2 })
    const { state } = await ann.ask('request_sync', { roomId })
    await owner.ask('direct_command', { roomId, command: 'next' })
    await hearVotes(owner, { trackId: 't2', votes: 0 })
    const late = { roomId, sequenceNumber: state.sequence_number, isFor: true }
    expect((await ann.ask('skip_vote', late)).votes).toMatchObject({ trackId: 't2', votes: 0, isOwn: false })
  })

  it('17.471, 17.472 who leaves takes the vote along, and is no longer needed', async () => {
    const { id: roomId, owner } = await openVotingRoom(app)
    const [ann, ben, cay] = await Promise.all(['ann', 'ben', 'cay'].map((name) => joinAs(app, roomId, name)))
    await vote(ann!, roomId)
    await vote(ben!, roomId)
    await hearVotes(owner, { votes: 2, needed: 3 })
    ben!.close()
    await hearVotes(owner, { votes: 1, needed: 2 })
    await vote(cay!, roomId)
    await hearTrack(owner, 't2')
    const dan = await joinAs(app, roomId, 'dan')
    await vote(ann!, roomId)
    await vote(cay!, roomId)
    await hearVotes(owner, { trackId: 't2', votes: 2, needed: 3 })
    await dan.ask('user_left', { roomId })
    await hearTrack(owner, 't3')
    expect((await owner.ask('request_sync', { roomId })).queue.map(({ id }) => id)).toEqual(['t4'])
  })

  it('17.472 a third of the listeners is enough where the owner says so, and guests vote', async () => {
    const { id: roomId, owner } = await openVotingRoom(app, { skipVotes: 'third', guests: 'everyone' })
    for (const name of ['ann', 'ben']) await joinAs(app, roomId, name)
    const guest = await connect(app, await enterAsGuest(app, 'gus'))
    await guest.ask('join_room', { roomId })
    expect(await vote(guest, roomId)).toMatchObject({ votes: 1, needed: 2 })
    await vote(owner, roomId)
    await hearTrack(guest, 't2')
  })

  it('17.473 a member who votes and takes it back over and over is limited', async () => {
    freezeWindows()
    const { id: roomId, owner } = await openVotingRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    await joinAs(app, roomId, 'ben')
    const { points } = callRates.vote
    const ask = (isFor: boolean) => ann.ask('skip_vote', { roomId, sequenceNumber: 1_000, isFor })
    for (let turn = 0; turn < points; turn += 1) await ask(turn % 2 === 0)
    await expect(ask(true)).rejects.toEqual(refusal('rate_limited'))
    await owner.ask('echo', {})
    expect(owner.all('skip_votes').length).toBeLessThan(points)
  })

  it('17.474 who joins, or connects again, hears the count and whether the own vote stands', async () => {
    const { id: roomId, owner } = await openVotingRoom(app)
    const [ann] = [await joinAs(app, roomId, 'ann'), await joinAs(app, roomId, 'ben')]
    await vote(ann, roomId)
    const tab = await connect(app, ann.user)
    await tab.ask('join_room', { roomId })
    expect(tab.all('skip_votes')).toContainEqual(expect.objectContaining({ votes: 1, isOwn: true }))
    const cay = await joinAs(app, roomId, 'cay')
    expect(cay.all('skip_votes')).toContainEqual(expect.objectContaining({ votes: 1, isOwn: false }))
    await hearVotes(owner, { votes: 1, needed: 3 })
  })
})

it('17.471, 17.472, 17.473 the votes of two processes are one count, and skip once', async () => {
  const clock = createFakeClock(performance.timeOrigin)
  const timer = setInterval(() => clock.advance(50), 20)
  onTestFinished(() => clearInterval(timer))
  const [first, second] = await startTwo(clock)
  const { id: roomId, owner } = await openVotingRoom(first)
  const ann = await joinAs(first, roomId, 'ann')
  const [ben, cay] = [await joinAs(second, roomId, 'ben'), await joinAs(second, roomId, 'cay')]
  expect(await vote(ann, roomId)).toMatchObject({ votes: 1, needed: 3 })
  expect(await vote(ben, roomId)).toMatchObject({ votes: 2, needed: 3 })
  for (const client of [owner, cay]) await hearVotes(client, { votes: 2, needed: 3 })
  // The vote of the one who leaves there goes with them.
  await ben.ask('user_left', { roomId })
  await hearVotes(owner, { votes: 1, needed: 2 })
  const { state } = await owner.ask('request_sync', { roomId, brief: true })
  // One is enough: the other comes too late, or with it.
  const late = { roomId, sequenceNumber: state.sequence_number, isFor: true }
  await Promise.all([owner.ask('skip_vote', late), cay.ask('skip_vote', late)])
  for (const client of [owner, ann, cay]) {
    await hearTrack(client, 't2')
    await hearVotes(client, { trackId: 't2', votes: 0 })
  }
  expect((await owner.ask('request_sync', { roomId })).queue.map(({ id }) => id)).toEqual(['t3', 't4'])
})
