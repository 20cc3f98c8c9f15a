import { limits } from '@earshot/core/limits'
import type { Room } from '@earshot/core/protocol/entities'
import { describe, expect, inject, it } from 'vitest'
import { type AppOptions, type TestApp, type TestUser, signUp, startApp } from './apps.ts'
import { createPostgresDatabase, migratedTemplate } from './postgres.ts'
import { openJoinedRoom } from './sockets.ts'

/** Input that the engines take differently, or would keep for ever: refused at the door, on both alike. */

const engines: [string, () => Promise<AppOptions>][] = [
  ['SQLite', async () => ({})],
  [
    'PostgreSQL',
    async () => ({ databaseUrl: await createPostgresDatabase(inject('postgresUrl'), migratedTemplate) }),
  ],
]

const refused = { ok: false, error: { code: 'invalid_input' } }
const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`

/** The status and the error's code of an answer to a body as it stands. */
async function send(app: TestApp, user: TestUser, method: string, path: string, body?: string) {
  const headers = { origin: app.address, cookie: user.cookie, 'content-type': 'application/json' }
  const answer = await fetch(app.address + path, { method, headers, body })
  const { error } = (await answer.json()) as { error?: { code: string } }
  return { path, status: answer.status, code: error?.code }
}

describe.each(engines)('hostile input (%s)', (_, choose) => {
  it('7.23c zero characters in events are invalid input, and nothing is stored', async () => {
    const app = await startApp(await choose())
    const { id: roomId, owner } = await openJoinedRoom(app)
    const bad: [string, object][] = [
      ['join_room', { roomId: 'a\0b' }],
      ['request_sync', { roomId: 'a\0b' }],
      ['send_message', { roomId, message: 'a\0b' }],
      ['track_changed', { roomId, trackId: 'a\0b' }],
      ['queue_updated', { roomId, queue: [{ id: 'a\0b' }] }],
      ['direct_command', { roomId, command: 'play', commandId: 'a\0b' }],
    ]
    for (const [name, payload] of bad) {
      expect({ name, answer: await owner.askRaw(name, payload) }).toMatchObject({ answer: refused })
    }
    const { messages, queue, state } = await owner.ask('request_sync', { roomId })
    expect({ messages, queued: queue.length, plays: state.is_playing }).toEqual({
      messages: [],
      queued: 2,
      plays: false,
    })
  })

  it('7.8 zero characters in calls are invalid input, in bodies and in addresses', async () => {
    const app = await startApp(await choose())
    const { id: roomId, owner } = await openJoinedRoom(app)
    const calls: [string, string, object?][] = [
      ['POST', '/api/rooms', { name: 'a\0b' }],
      ['PATCH', '/api/profile', { username: 'a\0b' }],
      ['POST', `/api/rooms/${roomId}/messages`, { content: 'a\0b' }],
      ['POST', '/api/auth/update-user', { name: 'a\0b' }],
      ['POST', '/api/auth/sign-in/email', { email: 'a\0b@example.com', password: 'secret' }],
      ['POST', '/api/auth/request-password-reset', { email: 'a\0b@example.com' }],
      ['GET', '/api/rooms/a%00b'],
      ['GET', '/api/tracks/a%00b'],
      ['GET', '/api/tracks/a%00b/audio'],
      ['GET', '/api/tracks?source=library&q=a%00b'],
      ['GET', `/api/rooms/${roomId}/messages?before=a%00b`],
      ['GET', '/api/auth/callback/google?state=a%00b'],
    ]
    for (const [method, path, body] of calls) {
      const answer = await send(app, owner.user, method, path, body && JSON.stringify(body))
      expect(answer).toEqual({ path, status: 400, code: 'invalid_input' })
    }
  })

  it('7.23c numbers that no database could hold are refused, and every room can still be listed', async () => {
    const app = await startApp(await choose())
    const { id: roomId, owner } = await openJoinedRoom(app)
    const report = (state: object) => owner.askRaw('playback_update', { roomId, state })
    for (const tooLong of [Number.MAX_SAFE_INTEGER, limits.mediaTimeMaxMs + 1]) {
      expect(await report({ duration: tooLong, force_sync: true })).toMatchObject(refused)
      expect(await report({ current_position: tooLong, force_sync: true })).toMatchObject(refused)
      const seek = { roomId, command: 'seek', position: tooLong }
      expect(await owner.askRaw('direct_command', seek)).toMatchObject(refused)
    }
    expect(await report({ duration: limits.mediaTimeMaxMs, force_sync: true })).toMatchObject({ ok: true })
    const seek = { roomId, command: 'seek', position: limits.mediaTimeMaxMs - 0.5 }
    expect(await owner.askRaw('direct_command', seek)).toMatchObject({ ok: true })
    expect(await owner.askRaw('direct_command', { roomId, command: 'play' })).toMatchObject({ ok: true })
    const { rooms } = await app.call<{ rooms: Room[] }>(null, 'GET', '/api/rooms')
    expect(rooms.map(({ id }) => id)).toEqual([roomId])
  })
})

it('7.8 nesting without end is invalid input to every call', async () => {
  const app = await startApp()
  const user = await signUp(app, 'ann')
  const paths = ['/rooms', '/auth/sign-in/email', '/auth/sign-out', '/auth/update-user', '/auth/anything']
  for (const path of paths.map((each) => `/api${each}`)) {
    for (const body of [deep, `{"name":"x","email":"a@example.com","password":"secret","more":${deep}}`]) {
      const answer = await send(app, user, 'POST', path, body)
      expect(answer).toEqual({ path, status: 400, code: 'invalid_input' })
    }
  }
})
