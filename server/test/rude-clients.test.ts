import type { WireError } from '@earshot/core/protocol/errors'
import { clientEvents } from '@earshot/core/protocol/socket-events'
import { limits } from '@earshot/core/limits'
import { expect, it } from 'vitest'
import { signUp, startApp } from './apps.ts'
import { connect } from './sockets.ts'

it('16.104 every event is refused beyond a rate of its own kind, with the time to wait', async () => {
  const app = await startApp()
  // Far more than any rate allows, so that a window which ends meanwhile changes nothing.
  const times = 5 * Math.max(limits.rates.probe.points, limits.rates.command.points)
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
  expect(limits.rates.inboundBytes).toEqual({ points: 10_000_000, perMs: 10_000 })
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
  await expect(connect(app, rudeUser)).rejects.toThrow('Too many requests')
  expect(await other.askRaw('ping', { time: 1 })).toMatchObject({ ok: true })
})
