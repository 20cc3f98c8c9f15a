import type { WireError } from '@earshot/core/protocol/errors'
import { clientEvents } from '@earshot/core/protocol/socket-events'
import { expect, it } from 'vitest'
import { signUp, startApp } from './apps.ts'
import { freezeWindows } from './rate-windows.ts'
import { type TestClient, connect, joinAs, openJoinedRoom, refusedForMs } from './sockets.ts'
import { callRates, otherRates } from '../src/limits/rates.ts'

it('16.104 every event is refused beyond a rate of its own kind, with the time to wait', async () => {
  const app = await startApp()
  // Far more than any rate allows, so that a window which ends meanwhile changes nothing.
  const times = 5 * Math.max(callRates.probe.points, callRates.command.points)
  const refusalOf = async (name: string): Promise<WireError | null> => {
    const client = await connect(app, await signUp(app, name))
    const asked = Array.from({ length: times }, () => client.askRaw(name, {}))
    const answers = await Promise.all(asked)
    client.close()
    const errors = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]))
    return errors.find(({ code }) => code === 'rate_limited') ?? null
  }
  for (const name of Object.keys(clientEvents)) {
    const refusal = { name, retryAfterMs: (await refusalOf(name))?.retryAfterMs }
    expect(refusal).toEqual({ name, retryAfterMs: expect.any(Number) })
  }
})

it('16.103 a user who sends 10 MB in 10 s is cut off, over all connections, and nobody else', async () => {
  expect(otherRates.inboundBytes).toEqual({ points: 10_000_000, perMs: 10_000 })
  const app = await startApp()
  const [rudeUser, other] = [await signUp(app, 'rude'), await connect(app, await signUp(app, 'ben'))]
  const [one, two] = [await connect(app, rudeUser), await connect(app, rudeUser)]
  const closed = Promise.race(
    [one, two].map(({ socket }) => new Promise((resolve) => socket.once('disconnect', resolve))),
  )
  const payload = { test: 'x'.repeat(500_000) }
  // Far fewer than the refused events that would cut off.
  for (let count = 0; count < 11; count += 1) {
    for (const { socket } of [one, two]) socket.emit('echo', payload)
  }
  // Without its reason, which is lost where data was still under way.
  await closed
  expect(await refusedForMs(connect(app, rudeUser))).toBeGreaterThan(20_000)
  expect(await other.askRaw('ping', { time: 1 })).toMatchObject({ ok: true })
})

it('16.245 members who change a room without end reach the others 60 times a second, and its owner pauses', async () => {
  const app = await startApp()
  const { id: roomId, owner } = await openJoinedRoom(app)
  const { queue } = await owner.ask('request_sync', { roomId, queueDeltas: true })
  // Unlike a move, it changes the queue in whichever order the commands arrive.
  const command = { type: 'add', trackId: queue[0]!.id }
  const rude = await Promise.all(
    Array.from({ length: 10 }, (_, index) => joinAs(app, roomId, `rude${index}`)),
  )
  let sent = 0
  const add = (client: TestClient) => {
    sent += 1
    return client.askRaw('queue_command', { roomId, command, commandId: `c${sent}` })
  }
  owner.forget()
  freezeWindows()
  // Fewer than each of them may send.
  const added = rude.flatMap((client) => Array.from({ length: 15 }, () => add(client)))
  await owner.ask('direct_command', { roomId, command: 'pause' })
  const codes = (await Promise.all(added)).map((answer) => (answer.ok ? 'ok' : answer.error.code))
  expect(codes.filter((code) => code === 'ok')).toHaveLength(otherRates.roomChanges.points)
  expect(new Set(codes)).toEqual(new Set(['ok', 'rate_limited']))
  expect(owner.all('queueDelta').length).toBeLessThanOrEqual(otherRates.roomChanges.points)
})

it('16.247 an ended session that connects more than 100 times in 10 s is refused before it is read', async () => {
  const app = await startApp()
  const user = await signUp(app, 'ann')
  await app.call(user, 'POST', '/api/auth/sign-out', {})
  freezeWindows()
  const { points } = otherRates.connect
  const codes = await Promise.all(
    Array.from({ length: points + 1 }, () =>
      connect(app, user).then(
        () => 'connected',
        (error: Error & { data?: WireError }) => error.data?.code,
      ),
    ),
  )
  expect(codes.filter((code) => code === 'unauthenticated')).toHaveLength(points)
  expect(codes).toContain('rate_limited')
})
