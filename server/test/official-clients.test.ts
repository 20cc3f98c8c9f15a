import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { type Socket, io as connectVersion4 } from 'socket.io-client'
import { io as connectVersion3 } from 'socket.io-client-3'
import { describe, expect, it, vi } from 'vitest'
import { signUp, startApp, type TestApp, type TestUser } from './apps.ts'
import { openJoinedRoom } from './sockets.ts'

/** The common part of the official clients of both versions. */
interface OfficialSocket {
  connected: boolean
  on(name: string, listener: (payload: unknown) => void): unknown
  emit(name: string, payload: unknown, answer: (ack: unknown) => void): unknown
  close(): unknown
  /** Its `io` is the manager, whose `engine` is the connection. */
  io: { engine: { transport: { name: string; ws?: { terminate(): void } } } }
}

interface Options {
  transports: string[]
  extraHeaders: Record<string, string>
  forceNew: boolean
  reconnectionDelay: number
}

const versions: [string, (url: string, options: Options) => unknown][] = [
  ['4', connectVersion4],
  ['3', connectVersion3],
]
const ways = [[['websocket']], [['polling', 'websocket']]]

function connect(app: TestApp, user: TestUser, open: (typeof versions)[0][1], transports: string[]) {
  const extraHeaders = { cookie: user.cookie }
  const options = { transports, extraHeaders, forceNew: true, reconnectionDelay: 10 }
  const socket = open(app.address, options) as OfficialSocket
  app.atEnd(() => void socket.close())
  return socket
}

const ask = (socket: OfficialSocket, name: string, payload: unknown): Promise<unknown> =>
  new Promise((resolve) => socket.emit(name, payload, resolve))

/** Resolves once a client is connected over a WebSocket. */
const untilOpen = (socket: OfficialSocket): Promise<void> =>
  vi.waitFor(() => {
    expect([socket.connected, socket.io.engine.transport.name]).toEqual([true, 'websocket'])
  })

describe.each(versions)('the official client of Socket.IO %s', (_version, open) => {
  it.each(ways)(
    '16.102 connects over %j, commands, hears broadcasts, and is back after a cut',
    async (transports) => {
      const app = await startApp()
      const { id: roomId, owner } = await openJoinedRoom(app)
      const listener = connect(app, await signUp(app, 'listener'), open, transports)
      const heard: unknown[] = []
      listener.on('playback_updated', (payload) => heard.push(payload))
      await untilOpen(listener)
      expect(await ask(listener, 'join_room', { roomId })).toMatchObject({
        ok: true,
        data: { room: { id: roomId } },
      })
      const refused = await ask(listener, 'direct_command', { roomId, command: 'play' })
      expect(refused).toMatchObject({ ok: false, error: { code: 'not_owner' } })

      const commander = connect(app, owner.user, open, transports)
      await untilOpen(commander)
      expect(await ask(commander, 'join_room', { roomId })).toMatchObject({ ok: true })
      const command = { roomId, command: 'play', commandId: 'c1', unknownField: 1 }
      expect(await ask(commander, 'direct_command', command)).toMatchObject({
        ok: true,
        data: { applied: true },
      })
      await vi.waitFor(() => expect(heard.at(-1)).toMatchObject({ roomId, state: { is_playing: true } }))

      const dropped = new Promise((resolve) => listener.on('disconnect', resolve))
      listener.io.engine.transport.ws?.terminate()
      await dropped
      await untilOpen(listener)
      expect(await ask(listener, 'join_room', { roomId })).toMatchObject({ ok: true })
      expect(await ask(commander, 'direct_command', { roomId, command: 'pause' })).toMatchObject({ ok: true })
      await vi.waitFor(() => expect(heard.at(-1)).toMatchObject({ state: { is_playing: false } }))
    },
  )
})

it('7.16a the plain client of docs/architecture.md follows, answers cues, and is back after a cut', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/architecture.md'), 'utf8')
  const code = /A plain client in full:\s+```js\nimport .*\n([^`]+)```/.exec(page)?.[1] ?? ''
  // A cue starts only when all are ready: the clock stands still.
  const app = await startApp({ clock: createFakeClock() })
  const { id: roomId, owner } = await openJoinedRoom(app)
  const { cookie: sessionCookie } = await signUp(app, 'plain')
  const lines: unknown[][] = []
  const sockets: Socket[] = []
  const io = (_address: string, options: Options) => {
    const socket = connectVersion4(app.address, { ...options, reconnectionDelay: 10 })
    app.atEnd(() => void socket.close())
    sockets.push(socket)
    return socket
  }
  const console = {
    log: (...line: unknown[]) => lines.push(line),
    error: (line: unknown) => lines.push([line]),
  }
  runInNewContext(code, { io, sessionCookie, roomId, console })
  await vi.waitFor(() => expect(lines).toEqual([[false, 0, expect.any(Number)]]))

  await owner.ask('direct_command', { roomId, command: 'play' })
  const { state } = await owner.ask('direct_command', { roomId, command: 'next' })
  const ready = { roomId, trackId: state.track_id, sequenceNumber: state.sequence_number }
  await owner.ask('track_ready', ready)
  await owner.hear('playback_updated', (heard) => heard.state.is_playing && heard.state.track_id === 't2')

  await vi.waitFor(() => expect(lines.at(-1)?.[0]).toBe(true))
  const before = lines.length
  sockets[0]?.io.engine.close()
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(before))
  await owner.ask('direct_command', { roomId, command: 'pause' })
  await vi.waitFor(() => expect(lines.at(-1)?.[0]).toBe(false))
})
