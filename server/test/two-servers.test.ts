import { limits } from '@earshot/core/limits'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { signUp, startApp } from './apps.ts'
import { captureLog } from './log.ts'
import { startTwo } from './two-servers.ts'
import { startRedis } from './redis.ts'
import { type TestClient, connect, joinAs, openJoinedRoom, renewable } from './sockets.ts'
import { serverLimits } from '../src/server-limits.ts'

const usernames = (members: { username: string }[]): string[] => members.map((member) => member.username)

/** A clock that moves until the test ends: whole queues are sent at intervals. */
function runningClock() {
  const clock = createFakeClock(performance.timeOrigin)
  const timer = setInterval(() => clock.advance(50), 20)
  onTestFinished(() => clearInterval(timer))
  return clock
}

describe('two processes that share PostgreSQL and Redis', () => {
  it('7.23a a command on one is heard on the other', async () => {
    const [first, second] = await startTwo(runningClock())
    const { id: roomId, owner } = await openJoinedRoom(first)
    const ann = await joinAs(second, roomId, 'ann')
    ann.forget()
    const { state } = await owner.ask('direct_command', { roomId, command: 'play' })
    const heard = await ann.hear('playback_updated', (each) => each.state.is_playing)
    expect(heard.state).toMatchObject(state)
    await ann.ask('send_message', { roomId, message: 'from there' })
    expect((await owner.hear('message')).message.content).toBe('from there')
    const again = { roomId, message: 'once', clientMessageId: 'c1' }
    const answers = await Promise.all([ann.ask('send_message', again), ann.ask('send_message', again)])
    expect(answers[0]).toEqual(answers[1])
    await ann.ask('reaction', { roomId, kind: 'wow' })
    expect((await owner.hear('reactions')).items).toEqual([{ kind: 'wow', count: 1 }])
    const { queue } = await ann.ask('queue_updated', { roomId, queue: [{ id: 't1' }] })
    expect((await owner.hear('queueUpdate', (each) => each.queue.length === 3)).queue).toEqual(queue)
  })

  it('7.23b, 7.2 presence is one: who is there on either is seen on both, and counted once', async () => {
    const [first, second] = await startTwo()
    const { id: roomId, owner } = await openJoinedRoom(first)
    const ann = await joinAs(second, roomId, 'ann')
    const again = await connect(first, ann.user)
    const snapshot = await again.ask('join_room', { roomId })
    expect(usernames(snapshot.members)).toEqual(['owner', 'ann'])
    expect(snapshot.room.listeners).toBe(2)
    await owner.hear('userPresence', (heard) => heard.count === 2)
    owner.forget()
    await again.ask('user_left', { roomId })
    await ann.ask('user_left', { roomId })
    await owner.hear('userPresence', (heard) => heard.count === 1)
  })

  it('7.2 the members of a process that died vanish when their leases run out', async () => {
    const clock = createFakeClock(performance.timeOrigin)
    const [first, second] = await startTwo(clock)
    const { id: roomId, owner } = await openJoinedRoom(first)
    // A process that renews nothing any more is one that is dead.
    const members = ['ann', 'ben'].map((name) => ({
      roomId,
      userId: name,
      holderId: 'dead',
      member: { id: name, username: name, avatar_url: null, is_owner: false },
      isConnected: true,
    }))
    await second.rooms.presence.acquire(members, serverLimits.presenceLeaseMs)
    expect((await owner.ask('request_sync', { roomId })).memberCount).toBe(3)
    owner.forget()
    await vi.waitFor(() => {
      clock.advance(serverLimits.presenceSweepMs)
      expect(owner.all('userPresence').at(-1)?.count).toBe(1)
    }, renewable)
  })

  it('7.3, 4.1b leaving by call and signing out reach the sockets of the other process', async () => {
    const [first, second] = await startTwo()
    const { id: roomId } = await openJoinedRoom(first)
    const ann = await joinAs(second, roomId, 'ann')
    await first.call(ann.user, 'POST', `/api/rooms/${roomId}/leave`)
    await vi.waitFor(async () =>
      expect(await ann.askRaw('request_sync', { roomId })).toMatchObject({ error: { code: 'not_a_member' } }),
    )
    await first.call(ann.user, 'POST', '/api/auth/sign-out')
    await vi.waitFor(() => expect(ann.socket.connected).toBe(false))
  })

  it('4.16a, 4.13b a track that ends is followed by the next one, once', async () => {
    const clock = createFakeClock(performance.timeOrigin)
    const [first, second] = await startTwo(clock)
    const { id: roomId, owner } = await openJoinedRoom(first, { durationMs: 8_000 })
    const ann = await joinAs(second, roomId, 'ann')
    const { state } = await owner.ask('direct_command', { roomId, command: 'play' })
    ann.forget()
    await vi.waitFor(
      () => {
        clock.advance(500)
        // Either of them: the event may take longer to the other process than the clock to the deadline.
        const heard = [owner, ann].flatMap((client) => client.all('playback_updated'))
        expect(heard.some((each) => each.state.track_id === 't2')).toBe(true)
      },
      { interval: 5 },
    )
    const cued = await ann.hear('playback_updated', (heard) => heard.state.track_id === 't2')
    expect(cued.state.sequence_number).toBe(state.sequence_number + limits.sequenceStepOther)
    for (const client of [owner, ann]) {
      await client.ask('track_ready', { roomId, trackId: 't2', sequenceNumber: cued.state.sequence_number })
    }
    const started = await ann.hear(
      'playback_updated',
      ({ state: each }) => each.is_playing && each.track_id === 't2',
    )
    expect(started.state.sequence_number).toBe(cued.state.sequence_number + limits.sequenceStepPlayPause)
    expect(ann.all('roomUpdate')).toHaveLength(1)
  })

  it('15.19 a track is skipped where the members who cannot play it are on both', async () => {
    const [first, second] = await startTwo()
    const { id: roomId, owner } = await openJoinedRoom(first)
    const members = [await joinAs(first, roomId, 'ann'), await joinAs(second, roomId, 'ben')]
    const { track_id: current } = (await owner.ask('request_sync', { roomId })).state
    await owner.ask('user_left', { roomId })
    for (const member of members) {
      const unplayable = [{ trackId: current ?? '', reason: 'removed' as const }]
      await member.ask('playability_report', { roomId, unplayable })
    }
    const [ann, ben] = members
    expect(await ann?.hear('track_unavailable')).toMatchObject({ roomId, count: 1 })
    await ben?.hear('track_unavailable')
    expect(ann?.all('track_unavailable')).toHaveLength(1)
  })

  it('7.5b queue writes from both at the same time lose nothing', async () => {
    const [first, second] = await startTwo(runningClock())
    const { id: roomId, owner } = await openJoinedRoom(first, { trackCount: 13 })
    const ann = await joinAs(second, roomId, 'ann')
    const add = (client: TestClient, id: string) => client.ask('queue_updated', { roomId, queue: [{ id }] })
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => add(index % 2 === 0 ? owner : ann, `t${index + 1}`)),
    )
    const { queue, queueVersion } = await ann.ask('request_sync', { roomId })
    expect(queue).toHaveLength(20)
    expect(queue.map((entry) => entry.position)).toEqual(Array.from({ length: 20 }, (_, index) => index))
    for (const client of [owner, ann]) {
      const last = await client.hear('queueUpdate', (heard) => heard.version === queueVersion)
      expect(last.queue).toEqual(queue)
    }
  })

  it('sync reports of both are told to both, and count for the lead', async () => {
    const clock = createFakeClock(performance.timeOrigin)
    const [first, second] = await startTwo(clock)
    const { id: roomId, owner } = await openJoinedRoom(first)
    const ann = await joinAs(second, roomId, 'ann')
    const report = (client: TestClient, errorMs: number, rttMs: number) =>
      client.ask('sync_report', { roomId, errorMs, cause: 'in_sync', rttMs })
    const hearsBoth = (client: TestClient): boolean =>
      client.all('sync_status').some((heard) => Object.keys(heard.members).length === 2)
    await vi.waitFor(async () => {
      await report(owner, -3, 10)
      await report(ann, 7, 900)
      clock.advance(limits.syncReportMs)
      expect(hearsBoth(owner) && hearsBoth(ann)).toBe(true)
    })
    const heard = await ann.hear('sync_status', (each) => Object.keys(each.members).length === 2)
    expect(heard).toMatchObject({ p50Ms: 3, p95Ms: 7 })
    expect(heard.members[owner.user.id]).toEqual({ errorMs: -3, cause: 'in_sync' })
    // Old reports count no longer, and a busy machine may have passed on only old ones yet.
    await vi.waitFor(
      async () => {
        await report(ann, 7, 900)
        await owner.ask('direct_command', { roomId, command: 'pause' })
        const { state } = await owner.ask('direct_command', { roomId, command: 'play' })
        const leadMs = limits.leadRttFactor * 900 + limits.startCostMs.library
        expect(state.timestamp - Math.round(clock.now())).toBe(leadMs)
      },
      { interval: 200 },
    )
  })

  it('a process whose Redis goes away still serves the rooms of its own sockets', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const app = await startApp({ ...captureLog(), redisUrl: redis.url })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    await redis.stop()
    await owner.ask('direct_command', { roomId, command: 'play' })
    const { state } = await ann.hear('playback_updated', (heard) => heard.state.is_playing)
    expect(state.sender_id).toBe(owner.user.id)
    await ann.ask('send_message', { roomId, message: 'still here' })
    expect((await owner.hear('message')).message.content).toBe('still here')
  })

  it('where there is no Redis at REDIS_URL it does not start, and says why', async () => {
    await expect(startApp({ redisUrl: 'redis://127.0.0.1:1' })).rejects.toThrow(/REDIS_URL/)
  })

  it('signs in on one process and connects to the other', async () => {
    const [first, second] = await startTwo()
    const ann = await connect(second, await signUp(first, 'ann'))
    expect(await ann.ask('echo', { test: 1 })).toMatchObject({ test: 1 })
  })
})
