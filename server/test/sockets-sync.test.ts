import { limits } from '@earshot/core/limits'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it, vi } from 'vitest'
import { signUp, startApp } from './apps.ts'
import { captureLog } from './log.ts'
import { connect, joinAs, openJoinedRoom } from './sockets.ts'
import { callRates } from '../src/limits/rates.ts'

describe('how well a room is in sync', () => {
  it('11.3b counts the error plus its uncertainty, for the room and as metrics', async () => {
    const clock = createFakeClock()
    const app = await startApp({ clock })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const report = { roomId, errorMs: -2, uncertaintyMs: 38, cause: 'in_sync', rttMs: 76 }
    await owner.ask('sync_report', report)
    clock.advance(limits.syncReportMs)
    expect(await owner.hear('sync_status')).toEqual({
      roomId,
      members: { [owner.user.id]: { errorMs: -2, uncertaintyMs: 38, cause: 'in_sync' } },
      p50Ms: 40,
      p95Ms: 40,
    })
    const metrics = await (await fetch(`${app.address}/metrics`)).text()
    expect(metrics).toContain('earshot_sync_error_p95_seconds 0.04')
    expect(metrics).toContain('earshot_sync_error_seconds_sum 0.04')
  })

  it('4.20e, 7.24d tells the room every 5 s what its members report, and operators the same as metrics', async () => {
    const clock = createFakeClock()
    const app = await startApp({ clock })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    await owner.ask('sync_report', { roomId, errorMs: -2, cause: 'in_sync', rttMs: 10 })
    await ann.ask('sync_report', { roomId, errorMs: null, cause: 'blocked', rttMs: null })
    await ann.ask('sync_report', { roomId, errorMs: 12, cause: 'correcting', rttMs: 30 })
    clock.advance(limits.syncReportMs)
    const status = {
      roomId,
      members: {
        [owner.user.id]: { errorMs: -2, cause: 'in_sync' },
        [ann.user.id]: { errorMs: 12, cause: 'correcting' },
      },
      p50Ms: 2,
      p95Ms: 12,
    }
    for (const client of [owner, ann]) expect(await client.hear('sync_status')).toEqual(status)

    clock.advance(limits.syncReportMs)
    await owner.ask('echo', {})
    expect(owner.all('sync_status')).toHaveLength(1)
    const metrics = await (await fetch(`${app.address}/metrics`)).text()
    expect(metrics).toContain('earshot_sync_error_p50_seconds 0.002')
    expect(metrics).toContain('earshot_sync_error_p95_seconds 0.012')
    expect(metrics).toContain('earshot_sync_error_seconds_count 2')
    expect(metrics).toContain('earshot_sockets 2')
    expect(metrics).toContain('earshot_rooms 1')
    expect(metrics).toMatch(/earshot_event_seconds_count\{event="sync_report",result="ok"\} 3/)
  })

  it('7.24d metrics name neither rooms nor people, however many there are', async () => {
    const app = await startApp({ clock: createFakeClock() })
    const rooms = [await openJoinedRoom(app), await openJoinedRoom(app)]
    for (const { id: roomId, owner } of rooms) {
      await owner.ask('sync_report', { roomId, errorMs: 4, cause: 'in_sync', rttMs: 10 })
      await owner.ask('direct_command', { roomId, command: 'play' })
      await owner.askRaw(roomId, {})
    }
    const metrics = await (await fetch(`${app.address}/metrics`)).text()
    expect(metrics).toContain('earshot_rooms 2')
    for (const event of ['direct_command', 'sync_report']) {
      expect(metrics).toContain(`earshot_event_seconds_count{event="${event}",result="ok"} 2`)
    }
    expect(metrics).toContain('earshot_event_seconds_count{event="unknown",result="unknown_event"} 2')
    expect(metrics).toContain('earshot_http_seconds_count{method="POST",route="/api/rooms/:roomId/queue"')
    for (const { id, owner } of rooms) {
      expect(metrics).not.toContain(id)
      expect(metrics).not.toContain(owner.user.id)
    }
  })

  it('7.24d has no figure of the error where nobody reports one any more', async () => {
    const clock = createFakeClock()
    const app = await startApp({ clock })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const read = async () => (await fetch(`${app.address}/metrics`)).text()
    await owner.ask('sync_report', { roomId, errorMs: 4, cause: 'in_sync', rttMs: 10 })
    expect(await read()).toContain('earshot_sync_error_p95_seconds 0.004')
    await vi.waitFor(async () => {
      clock.advance(limits.syncReportMs)
      expect(await read()).toMatch(/earshot_sync_error_p95_seconds nan/i)
    })
  })

  it('of a crowd it tells the first page of members, and the figures of all', async () => {
    const clock = createFakeClock()
    const app = await startApp({ clock })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const crowd = Array.from({ length: limits.membersPageSize + 50 }, (_, index) => `u${index}`)
    const leases = crowd.map((userId) => ({
      roomId,
      userId,
      holderId: 's',
      member: { id: userId, username: userId, avatar_url: null, is_owner: false },
      isConnected: true,
    }))
    await app.rooms.presence.acquire(leases, 1_000_000)
    for (const [index, userId] of crowd.entries()) {
      app.rooms.syncReports.report(roomId, userId, {
        errorMs: index,
        cause: 'in_sync',
        rttMs: 1,
        player: null,
      })
    }
    clock.advance(limits.syncReportMs)
    const heard = await owner.hear('sync_status')
    expect(Object.keys(heard.members)).toHaveLength(limits.membersPageSize - 1)
    expect(heard.p95Ms).toBe(237)
  })

  it('16.82, 16.83 a page gets changes of the first members only, and reads the others on demand', async () => {
    const clock = createFakeClock()
    const app = await startApp({ clock })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await connect(app, await signUp(app, 'ann'))
    await ann.ask('join_room', { roomId, syncChanges: true })
    const crowd = Array.from({ length: 50 }, (_, index) => `u${index}`)
    const leases = crowd.map((userId) => ({
      roomId,
      userId,
      holderId: 's',
      member: { id: userId, username: userId, avatar_url: null, is_owner: false },
      isConnected: true,
    }))
    await app.rooms.presence.acquire(leases, 1_000_000)
    const reportAll = (last: number): void => {
      for (const userId of crowd) {
        const errorMs = userId === 'u49' ? last : 1
        app.rooms.syncReports.report(roomId, userId, { errorMs, cause: 'in_sync', rttMs: 1, player: null })
      }
    }
    reportAll(1)
    clock.advance(limits.syncReportMs)
    const heard = await ann.hear('sync_changes')
    expect(Object.keys(heard.members)).toHaveLength(limits.syncShownMembers - 2)
    expect(await owner.hear('sync_status')).toMatchObject({ members: { u49: { errorMs: 1 } } })

    reportAll(9)
    clock.advance(limits.syncReportMs)
    await owner.hear('sync_status', ({ members }) => members.u49?.errorMs === 9)
    const { members } = await ann.ask('member_sync', { roomId, memberIds: ['u49', 'nobody', '__proto__'] })
    expect(members).toEqual({ u49: { errorMs: 9, cause: 'in_sync' } })
    expect(ann.all('sync_changes')).toHaveLength(1)
    expect(ann.all('sync_status')).toEqual([])

    const ben = await connect(app, await signUp(app, 'ben'))
    await ben.ask('join_room', { roomId, syncChanges: true })
    expect(await ben.hear('sync_changes')).toMatchObject({ isWhole: true, p50Ms: 1, members: heard.members })
  })

  it('16.83 reading figures is limited in size and rate, and for members only', async () => {
    const app = await startApp({ clock: createFakeClock() })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ask = (memberIds: string[]) => owner.ask('member_sync', { roomId, memberIds })
    const tooMany = Array.from({ length: limits.membersPageSize + 1 }, (_, index) => `u${index}`)
    await expect(ask(tooMany)).rejects.toMatchObject({ code: 'invalid_input' })
    const asked = Array.from({ length: callRates.memberSync.points + 1 }, () => ask(['u1']))
    await expect(Promise.all(asked)).rejects.toMatchObject({ code: 'rate_limited' })
    const stranger = await connect(app, await signUp(app, 'stranger'))
    const asStranger = stranger.ask('member_sync', { roomId, memberIds: [owner.user.id] })
    await expect(asStranger).rejects.toMatchObject({ code: 'not_a_member' })
  })

  it('16.84 a brief answer holds playback and queue only, and no event besides', async () => {
    const app = await startApp({ clock: createFakeClock() })
    const { id: roomId, owner } = await openJoinedRoom(app)
    await owner.ask('direct_command', { roomId, command: 'play' })
    const whole = await owner.ask('request_sync', { roomId })
    owner.forget()
    const brief = await owner.ask('request_sync', { roomId, brief: true, queueVersion: whole.queueVersion })
    expect(brief.state).toEqual(whole.state)
    expect(brief).toMatchObject({ queue: [], isQueueKnown: true, queueVersion: whole.queueVersion })
    expect(Object.keys(brief)).not.toEqual(expect.arrayContaining(['members']))
    expect(JSON.stringify(brief).length).toBeLessThan(600)
    expect(owner.heard).toEqual([])
    const unknown = await owner.ask('request_sync', { roomId, brief: true, queueVersion: -1 })
    expect(unknown).toMatchObject({ queue: whole.queue, queueVersion: whole.queueVersion })
  })

  it('8.17 of an unexpected error nothing but its code leaves the server', async () => {
    const { logger, lines } = captureLog('error')
    const app = await startApp({ logger })
    const { id: roomId, owner } = await openJoinedRoom(app)
    await app.db.schema.dropTable('messages').execute()
    expect(await owner.askRaw('send_message', { roomId, message: 'hello' })).toEqual({
      ok: false,
      error: { code: 'internal', message: 'Something went wrong on the server' },
    })
    expect(await owner.ask('echo', { test: 1 })).toMatchObject({ test: 1 })
    expect(lines).toMatchObject([{ err: { message: expect.stringContaining('messages') } }])
  })
})
