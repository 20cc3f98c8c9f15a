import { clientEvents } from '@earshot/core/protocol/socket-events'
import { describe, expect, it, vi } from 'vitest'
import { type TestApp, type TestUser, signUp, shareApp } from './apps.ts'
import { freezeWindows } from './rate-windows.ts'
import { connect, openJoinedRoom, refusedForMs, wallClock } from './sockets.ts'
import { serverLimits } from '../src/server-limits.ts'
import { otherRates } from '../src/limits/rates.ts'

const roomEvents = Object.keys(clientEvents).filter((name) => name !== 'ping' && name !== 'echo')

/** A payload of each event that is right but for the room. */
const fitting: Record<string, object> = {
  playback_update: { state: { current_position: 1 } },
  queue_updated: { queue: [] },
  track_changed: { trackId: 't1' },
  send_message: { message: 'hello' },
  reaction: { kind: 'love' },
  direct_command: { command: 'play' },
  track_ready: { trackId: 't1', sequenceNumber: 1 },
  skip_vote: { sequenceNumber: 1, isFor: true },
  sync_report: { errorMs: 1, cause: 'in_sync', rttMs: 1 },
  playability_report: { unplayable: [] },
  member_sync: { memberIds: ['u1'] },
  queue_command: { command: { type: 'clear' }, commandId: 'c' },
}

/** Payloads that no event takes, whatever it is called. */
const hostile: unknown[] = [
  undefined,
  null,
  0,
  'text',
  true,
  [],
  [[]],
  {},
  { roomId: 7 },
  { roomId: '' },
  { roomId: { toString: 'x' } },
  { roomId: 'x'.repeat(65) },
  JSON.parse('{"__proto__":{"roomId":"x"},"constructor":{"prototype":1}}'),
]

const refused = (code: string) => ({ ok: false, error: { code } })

describe('bad input over sockets', () => {
  const app = shareApp()

  it('7.23c every event answers input of any wrong shape with invalid_input, and changes nothing', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const before = await owner.ask('request_sync', { roomId })
    for (const name of Object.keys(clientEvents).filter((each) => each !== 'echo')) {
      // A few of them from each user, so that no limit is what refuses them.
      for (let first = 0; first < hostile.length; first += 5) {
        const client = await connect(app, await signUp(app, `${name}${first}`))
        for (const payload of hostile.slice(first, first + 5)) {
          const answer = await client.askRaw(name, payload)
          expect({ name, payload, answer }).toMatchObject({ answer: refused('invalid_input') })
        }
        client.close()
      }
    }
    const { serverTime: _1, ...after } = await owner.ask('request_sync', { roomId })
    const { serverTime: _2, ...expected } = before
    expect(after).toEqual(expected)
  })

  it.each([
    ['by itself', Buffer.from('bytes')],
    ['in a payload', { roomId: Buffer.from('bytes') }],
  ])('16.243 binary data ends the connection: %s', async (_, payload) => {
    const client = await connect(app, await signUp(app, 'ann'))
    const ended = new Promise((resolve) => client.socket.once('disconnect', resolve))
    client.socket.emit('echo', payload)
    expect(await ended).toMatch(/^transport/)
  })

  it('7.23c fields of the wrong type are named in the answer', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const bad: [string, object, string][] = [
      ['direct_command', { command: 'explode' }, 'command'],
      ['direct_command', { command: 'seek' }, 'position'],
      ['direct_command', { command: 'seek', position: -1 }, 'position'],
      ['direct_command', { command: 'seek', position: '5' }, 'position'],
      ['direct_command', { command: 'seek', position: 1e300 }, 'position'],
      ['playback_update', { state: 'playing' }, 'state'],
      ['playback_update', { state: { current_position: null } }, 'state.current_position'],
      ['playback_update', { state: { is_seek_operation: true } }, 'position'],
      ['queue_updated', { queue: 'all' }, 'queue'],
      ['queue_updated', { queue: [{ entry_id: 'e' }] }, 'queue.0.id'],
      ['track_changed', { trackId: 7 }, 'trackId'],
      ['send_message', { message: 7 }, 'message'],
      ['track_ready', { trackId: 't1', sequenceNumber: 1.5 }, 'sequenceNumber'],
      ['skip_vote', { sequenceNumber: 1.5, isFor: true }, 'sequenceNumber'],
      ['skip_vote', { sequenceNumber: 1, isFor: 1 }, 'isFor'],
      ['sync_report', { errorMs: 'much', cause: 'in_sync', rttMs: 1 }, 'errorMs'],
      ['sync_report', { errorMs: 1, cause: 'magic', rttMs: 1 }, 'cause'],
      ['sync_report', { errorMs: 1, cause: 'in_sync', rttMs: 1, uncertaintyMs: -1 }, 'uncertaintyMs'],
    ]
    for (const [name, payload, path] of bad) {
      const answer = await owner.askRaw(name, { roomId, ...payload })
      const issues = expect.arrayContaining([expect.objectContaining({ path })])
      expect({ name, payload, answer }).toMatchObject({
        answer: { ok: false, error: { code: 'invalid_input', issues } },
      })
    }
  })

  it('7.23c an unknown room is not found, and a room that one is not in refuses', async () => {
    const { id: roomId } = await openJoinedRoom(app)
    const stranger = await connect(app, await signUp(app, 'stranger'))
    for (const name of roomEvents) {
      const answer = await stranger.askRaw(name, { roomId: 'nowhere', ...fitting[name] })
      expect({ name, answer }).toMatchObject({ answer: refused('room_not_found') })
    }
    for (const name of roomEvents.filter((each) => each !== 'join_room')) {
      const answer = await stranger.askRaw(name, { roomId, ...fitting[name] })
      expect({ name, answer }).toMatchObject({ answer: refused('not_a_member') })
    }
  })

  it('7.23c unknown events are answered, whatever they are called', async () => {
    const user = await connect(app, await signUp(app, 'ann'))
    for (const name of ['test_message', 'error', 'constructor', '__proto__', 'toString', '', 'JOIN_ROOM']) {
      const answer = await user.askRaw(name, {})
      expect({ name, answer }).toMatchObject({ answer: refused('unknown_event') })
    }
    expect(await user.askRaw('nothing else')).toMatchObject(refused('unknown_event'))
  })

  it('7.23c what is too large is refused, and what is far too large ends the connection of its sender alone', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const large = 'x'.repeat(serverLimits.socketPayloadMaxBytes)
    for (const [name, payload] of [
      ['send_message', { roomId, message: large }],
      ['echo', { test: large }],
      ['direct_command', { roomId, command: 'play', timestamps: { large } }],
    ] as const) {
      expect(await owner.askRaw(name, payload)).toMatchObject({
        ok: false,
        error: { code: 'payload_too_large' },
      })
    }
    const flooder = await connect(app, await signUp(app, 'flooder'))
    flooder.socket.emit('echo', { test: 'x'.repeat(serverLimits.socketTransportMaxBytes) })
    await vi.waitFor(() => expect(flooder.socket.connected).toBe(false))
    expect(await owner.ask('echo', { test: 1 })).toMatchObject({ test: 1 })
  })

  it('7.23c events without an answer, and with too many arguments, do no harm', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    for (const payload of hostile) {
      owner.socket.emit('direct_command', payload)
      owner.socket.emit('ping', payload)
      owner.socket.emit('unheard_of', payload, payload, payload)
    }
    owner.socket.emit('join_room')
    expect(await owner.askRaw('echo', { test: 'one' }, 'two', 3)).toMatchObject({
      ok: true,
      data: { test: 'one' },
    })
    await vi.waitFor(async () =>
      expect(await owner.askRaw('request_sync', { roomId })).toMatchObject({ ok: true }),
    )
  })

  it('7.23c nesting without end is refused', async () => {
    const user = await signUp(app, 'ann')
    const nested = `{"test":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
    for (const name of ['echo', 'direct_command', 'unheard_of']) {
      const said = await exchange(app, user, `420["${name}",${nested}]`, (text) => text.startsWith('430'))
      expect(said.find((text) => text.startsWith('430'))).toMatch(
        /^430\[\{"ok":false,"error":\{"code":"(invalid_input|unknown_event)"/,
      )
    }
  })

  it('7.23c packets that are no events end at most the connection of their sender', async () => {
    const { owner } = await openJoinedRoom(app)
    const user = await signUp(app, 'ann')
    const packets = [
      '42',
      '42{}',
      '42[]',
      '42["echo"',
      '42[1]',
      '42[null]',
      '43999[]',
      '45["x"]',
      '4',
      '49',
      'x',
    ]
    for (const packet of [...packets, '41,{}', '451-["e",{"_placeholder":true,"num":9}]', '42["connect"]']) {
      await exchange(app, user, packet, () => true)
      expect(await owner.ask('echo', { test: packet })).toMatchObject({ test: packet })
    }
  })

  it('7.22a ping is answered at once with the time and the clock of the server, also by polling', async () => {
    const user = await signUp(app, 'ann')
    for (const transports of [['websocket'], ['polling']]) {
      const client = await connect(app, user, { transports })
      const sentAtMs = wallClock.now()
      const answer = await client.ask('ping', { time: 12.5 })
      expect(answer.time).toBe(12.5)
      expect(answer.receivedAtMs).toBeGreaterThanOrEqual(sentAtMs - 1)
      expect(answer.sentAtMs).toBeGreaterThanOrEqual(answer.receivedAtMs)
      expect(answer.sentAtMs).toBeLessThanOrEqual(wallClock.now() + 1)
    }
  })

  it('7.22b echo is acknowledged with what was sent, or answered by an event', async () => {
    const client = await connect(app, await signUp(app, 'ann'))
    const sent = { timestamp: 5, clientId: 'c', test: { deep: [1, null, 'x'] } }
    const answer = { ...sent, serverTime: expect.any(Number) }
    expect(await client.ask('echo', sent)).toEqual(answer)
    expect(client.all('echo')).toEqual([])
    client.socket.emit('echo', sent)
    expect(await client.hear('echo')).toEqual(answer)
  })

  it('11.2i the clock probes of all sockets of a user are limited to 600 per second', async () => {
    const [ann, ben] = [await signUp(app, 'ann'), await signUp(app, 'ben')]
    const sockets = await Promise.all(Array.from({ length: 20 }, () => connect(app, ann)))
    const startedAtMs = wallClock.now()
    const answers = await Promise.all(
      sockets.flatMap((socket) => Array.from({ length: 60 }, (_, time) => socket.askRaw('ping', { time }))),
    )
    const windows = 1 + Math.floor((wallClock.now() - startedAtMs) / 1_000)
    const answered = answers.filter((answer) => answer.ok).length
    expect(answered).toBeGreaterThanOrEqual(600)
    expect(answered).toBeLessThanOrEqual(600 * windows)
    const other = await connect(app, ben)
    expect(await other.askRaw('ping', { time: 1 })).toMatchObject({ ok: true })
  })

  it('5.8c clock probes have their own limit of 60 per second', async () => {
    const client = await connect(app, await signUp(app, 'ann'))
    freezeWindows()
    const answers = await Promise.all(
      Array.from({ length: 63 }, (_, time) => client.askRaw('ping', { time })),
    )
    expect(answers.filter((answer) => !answer.ok)).toHaveLength(3)
  })

  it('16.11 a user whose events are refused 500 times in 10 s is cut off for 30 s, and nobody else', async () => {
    expect(otherRates.refusals).toEqual({ points: 500, perMs: 10_000 })
    const [rudeUser, other] = [await signUp(app, 'rude'), await connect(app, await signUp(app, 'ben'))]
    const rude = await connect(app, rudeUser)
    const closed = new Promise((resolve) => rude.socket.once('disconnect', resolve))
    for (let count = 0; count <= otherRates.refusals.points; count += 1) rude.socket.emit('nonsense')
    expect(await closed).toBe('io server disconnect')
    expect(await refusedForMs(connect(app, rudeUser))).toBeGreaterThan(20_000)
    expect(await other.askRaw('ping', { time: 1 })).toMatchObject({ ok: true })
  })
})

/**
 * Speaks the protocol below the client's library: connects, sends one packet as it stands, and resolves to everything
 * that was said once what came after it fits, or the server has hung up.
 */
async function exchange(
  app: TestApp,
  user: TestUser,
  packet: string,
  isLast: (text: string) => boolean,
): Promise<string[]> {
  const address = `${app.address.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`
  // Node's own client takes headers, which the standard's has not.
  const options = { headers: { cookie: user.cookie } } as unknown as string[]
  const socket = new WebSocket(address, options)
  const said: string[] = []
  const answers = ['40', [packet, '42["echo",{}]', '421["echo",{}]']] as const
  await new Promise<void>((resolve) => {
    socket.addEventListener('close', () => resolve())
    socket.addEventListener('message', ({ data }) => {
      said.push(String(data))
      for (const answer of [answers[said.length - 1] ?? []].flat()) socket.send(answer)
      if (said.length > 2 && isLast(String(data))) resolve()
    })
  })
  socket.close()
  return said
}
