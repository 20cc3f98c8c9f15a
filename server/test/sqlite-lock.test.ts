import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { sqliteFileName } from '../src/db/database.ts'
import { startApp } from './apps.ts'
import { runChild } from './children/run-child.ts'
import { makeDataFolder } from './databases.ts'
import { openJoinedRoom, joinAs } from './sockets.ts'

it('13.1, 13.2 answers clock probes and reads while another process locks SQLite, and then stores the commands', async () => {
  const dataDir = await makeDataFolder()
  const app = await startApp({ dataDir })
  const { id: roomId, owner } = await openJoinedRoom(app)
  const listener = await joinAs(app, roomId, 'ann')

  const child = runChild('test/children/hold-lock.ts', [join(dataDir, sqliteFileName)])
  await vi.waitFor(() => expect(child.output.stdout).toContain('locked'))
  const command = owner.ask('direct_command', { roomId, command: 'play' })
  // The lock is held until these have their answers.
  for (let time = 0; time < 10; time++) {
    await listener.ask('ping', { time })
    await app.call(null, 'GET', `/api/rooms/${roomId}`)
  }
  expect(listener.all('playback_updated')).toEqual([])
  child.process.stdin?.end()
  expect(await command).toMatchObject({ applied: true, state: { is_playing: true } })
  await listener.hear('playback_updated', ({ state }) => state.is_playing)
})
