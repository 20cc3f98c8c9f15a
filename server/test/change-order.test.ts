import { createRandom } from '@earshot/core/testing/random'
import type { ServerEventName } from '@earshot/core/protocol/socket-events'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '../src/db/database.ts'
import { findRoom } from '../src/db/rooms.ts'
import { signUp, startApp } from './apps.ts'
import { openLink, withPort } from './faults/link.ts'
import { createPostgresDatabase, migratedTemplate } from './postgres.ts'
import { type TestClient, connect, joinAs, openJoinedRoom } from './sockets.ts'

const edits = 24
/** One answer in five: a later question on another connection is answered first. */
const slowAnswerMs = 80
const ordered: readonly ServerEventName[] = ['roomUpdate', 'playback_updated', 'queueDelta', 'direct_command']

/** Everything that a client heard about the room's state, in order. */
const listHeard = (client: TestClient): string[] =>
  client.heard
    .filter(({ name }) => ordered.some((each) => each === name))
    .map(({ name, payload }) => `${name} ${JSON.stringify(payload)}`)

/** Keeps the first of equal neighbours. */
const withoutRepeats = (values: readonly string[]): string[] =>
  values.filter((value, index) => value !== values[index - 1])

it('16.132 with a slow database all members hear commands, edits, queue changes and hand-overs in one order, and none before it is stored', async () => {
  const databaseUrl = await createPostgresDatabase(inject('postgresUrl'), migratedTemplate)
  const random = createRandom(16_132)
  const link = await openLink(Number(new URL(databaseUrl).port), () => (random() < 0.2 ? slowAnswerMs : 1))
  const app = await startApp({ databaseUrl: withPort(databaseUrl, link.port) })
  const direct = await openDatabase({ databaseUrl, dataDir: '' })
  onTestFinished(() => direct.destroy())
  const { id: roomId, owner } = await openJoinedRoom(app, { trackCount: 6 })
  await app.call(owner.user, 'PATCH', `/api/rooms/${roomId}`, { settings: { control: 'everybody' } })
  const ann = await joinAs(app, roomId, 'ann')
  await ann.ask('request_sync', { roomId, queueDeltas: true })
  const listeners = await Promise.all(
    ['ben', 'cem'].map(async (name) => {
      const client = await connect(app, await signUp(app, name))
      await client.ask('join_room', { roomId, queueDeltas: true })
      return client
    }),
  )
  await owner.ask('request_sync', { roomId, queueDeltas: true })
  const everybody = [owner, ann, ...listeners]
  for (const client of everybody) client.forget()
  const early: unknown[] = []
  const checks: Promise<void>[] = []
  listeners[0]?.socket.on('playback_updated', ({ state }: { state: { sequence_number: number } }) => {
    const check = async (): Promise<void> => {
      const stored = (await findRoom(direct, roomId))?.row.sequence_number ?? 0
      if (stored < state.sequence_number) early.push({ heard: state.sequence_number, stored })
    }
    checks.push(check())
  })

  const run = async (index: number): Promise<unknown> => {
    const path = `/api/rooms/${roomId}`
    const [commander, other] = index % 2 === 0 ? [owner, ann] : [ann, owner]
    return await Promise.all([
      app.call(owner.user, 'PATCH', path, { name: `Room ${index}` }).catch(() => null),
      commander.askRaw('direct_command', {
        roomId,
        command: index % 3 === 0 ? 'play' : 'seek',
        position: 1_000 * index,
      }),
      other.askRaw('queue_updated', { roomId, queue: [{ id: `t${1 + (index % 6)}` }] }),
      index % 6 === 5 &&
        app.call(owner.user, 'POST', `${path}/owner`, { userId: ann.user.id }).catch(() => null),
      index % 6 === 5 && other.askRaw('direct_command', { roomId, command: 'next' }),
      index % 6 === 2 &&
        app.call(ann.user, 'POST', `${path}/owner`, { userId: owner.user.id }).catch(() => null),
    ])
  }
  // Some at once and some after another, so that changes meet the broadcasts of earlier ones.
  for (let index = 0; index < edits; index += 3) {
    await Promise.all([run(index), run(index + 1), run(index + 2)])
  }
  const stored = (await findRoom(direct, roomId))?.row
  await vi.waitFor(() => {
    for (const client of everybody) {
      expect(client.all('roomUpdate').at(-1)?.room).toMatchObject({
        name: stored?.name,
        owner_id: stored?.owner_id,
      })
      expect(client.all('playback_updated').at(-1)?.state.sequence_number).toBe(stored?.sequence_number)
    }
  })
  await Promise.all(checks)
  expect(checks.length).toBeGreaterThan(edits / 2)
  expect(early).toEqual([])

  const [first = [], ...others] = everybody.map(listHeard)
  for (const heard of others) expect(heard).toEqual(first)
  const numbers = owner.all('playback_updated').map(({ state }) => state.sequence_number)
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
  expect(new Set(numbers).size).toBe(numbers.length)
  const deltas = owner.all('queueDelta')
  expect(deltas.map(({ version }) => version)).toEqual(
    deltas.map((_, index) => (deltas[0]?.version ?? 0) + index),
  )
  // A name that another one has replaced does not come back.
  const names = withoutRepeats(owner.all('roomUpdate').map(({ room }) => room.name))
  expect(names).toEqual([...new Set(names)])
})

it('16.133 an edit of a room whose reading is slow does not hide the next one from the members', async () => {
  const databaseUrl = await createPostgresDatabase(inject('postgresUrl'), migratedTemplate)
  let isNextSlow = false
  const readings = vi.fn<() => void>()
  const answersAfterMs = (question: string): number => {
    if (!isNextSlow || !question.includes('controller_name')) return 0
    isNextSlow = false
    readings()
    return 1_000
  }
  const link = await openLink(Number(new URL(databaseUrl).port), answersAfterMs)
  const app = await startApp({ databaseUrl: withPort(databaseUrl, link.port) })
  const { id: roomId, owner } = await openJoinedRoom(app)
  const ann = await joinAs(app, roomId, 'ann')
  ann.forget()
  const rename = (name: string) => app.call(owner.user, 'PATCH', `/api/rooms/${roomId}`, { name })
  isNextSlow = true
  const first = rename('First')
  await vi.waitFor(() => expect(readings).toHaveBeenCalled())
  await Promise.all([first, rename('Second')])
  await ann.hear('roomUpdate', ({ room }) => room.name === 'Second')
  // The last thing that is sent to the room: by then both edits are.
  await owner.ask('send_message', { roomId, message: 'done' })
  await ann.hear('message')
  expect(ann.all('roomUpdate').at(-1)?.room.name).toBe('Second')
})
