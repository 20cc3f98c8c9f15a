import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { sqliteFileName } from '../src/db/database.ts'
import { startApp } from './apps.ts'
import { runChild } from './children/run-child.ts'
import { makeDataFolder } from './databases.ts'
import { openJoinedRoom, joinAs } from './sockets.ts'

const lockedMs = 3_000
/** Half the time of the lock, and far above what a busy machine adds. */
const promptMs = 1_500

it('13.1, 13.2 answers clock probes and reads while another process locks SQLite, and then stores the commands', async () => {
  const dataDir = await makeDataFolder()
  const app = await startApp({ dataDir })
  const { id: roomId, owner } = await openJoinedRoom(app)
  const listener = await joinAs(app, roomId, 'ann')

  const child = runChild('test/children/hold-lock.ts', [join(dataDir, sqliteFileName), String(lockedMs)])
  await vi.waitFor(() => expect(child.output.stdout).toContain('locked'), 15_000)
  const command = owner.ask('direct_command', { roomId, command: 'play' })

  const roundTrips: number[] = []
  while (!child.output.stdout.includes('released')) {
    const askedAt = performance.now()
    await listener.ask('ping', { time: askedAt })
    await app.call(null, 'GET', `/api/rooms/${roomId}`)
    roundTrips.push(performance.now() - askedAt)
    await delay(20)
  }
  expect(roundTrips.length).toBeGreaterThan(3)
  expect(Math.max(...roundTrips)).toBeLessThan(promptMs)
  expect(await command).toMatchObject({ applied: true, state: { is_playing: true } })
  await listener.hear('playback_updated', ({ state }) => state.is_playing)
})
