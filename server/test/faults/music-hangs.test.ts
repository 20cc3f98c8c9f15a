import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { signUp, signUpOverHttp } from '../apps.ts'
import { ask } from '../ask.ts'
import { type ServerProcess, runServer } from '../children/run-server.ts'
import { makeFolder } from '../folders.ts'
import { writeOldTrack } from '../music.ts'
import { connect } from '../sockets.ts'
import { secret } from './crowd.ts'

const listeners = 12
const patience = { timeout: 20_000, interval: 100 }

/**
 * Mounts a file system over a folder that answers nothing, as a network disk whose server is gone. Needs root. Returns a
 * function that unmounts it: what waited fails then.
 */
function hang(folder: string): () => void {
  const device = openSync('/dev/fuse', 'r+')
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0'
  const mounted = spawnSync('mount', ['-i', '-t', 'fuse', '-o', options, 'hanging', folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe', device],
  })
  if (mounted.status !== 0) throw new Error(`A hanging disk can be mounted by root only: ${mounted.stderr}`)
  let isMounted = true
  const end = (): void => {
    if (!isMounted) return
    isMounted = false
    spawnSync('umount', ['--lazy', folder])
    closeSync(device)
  }
  onTestFinished(end)
  return end
}

/** Starts a server with one track, which its owner plays in a room. */
async function startWithTrack(further: Record<string, string> = {}) {
  const [dataDir, musicDir] = [await makeFolder(), await makeFolder()]
  await writeOldTrack(musicDir, 'one.wav', { durationMs: 20_000 })
  const variables = { DATA_DIR: dataDir, MUSIC_DIR: musicDir, SECRET: secret, ...further }
  const server = await runServer(variables)
  const db = await openDatabase({ databaseUrl: null, dataDir })
  onTestFinished(() => db.destroy())
  const owner = await signUp({ db, secret }, 'owner')
  const headers = { cookie: owner.cookie, origin: server.address }
  const call = async (method: string, path: string, body?: object) =>
    (await ask(server.address + path, { method, headers, ...(body ? { body } : {}) })).json as never
  const trackId = await vi.waitFor(async () => {
    const { tracks } = (await call('GET', '/api/library')) as { tracks: { id: string }[] }
    expect(tracks).toHaveLength(1)
    return tracks[0]!.id
  }, patience)
  const { id: roomId } = (await call('POST', '/api/rooms', { name: 'Room' })) as { id: string }
  const client = await connect(server, owner)
  await client.ask('join_room', { roomId })
  await call('POST', `/api/rooms/${roomId}/queue`, { trackId })
  const audio = async (): Promise<number> => {
    const range = { range: 'bytes=0-99999' }
    const address = `${server.address}/api/tracks/${trackId}/audio`
    return (await fetch(address, { headers: { ...headers, ...range } })).status
  }
  return { server, variables, db, client, roomId, musicDir, audio }
}

it('16.124 while the music disk hangs, people still come, sign in and talk; then the music is back', async () => {
  const { server, client, roomId, musicDir, audio } = await startWithTrack()
  const release = hang(musicDir)
  let settled = 0
  const waiting = Array.from({ length: listeners }, () =>
    audio()
      .catch(() => 0)
      .finally(() => (settled += 1)),
  )
  const askInTime = async (path: string) =>
    (await fetch(server.address + path, { signal: AbortSignal.timeout(5_000) })).status
  for (let round = 0; round < 3; round += 1) {
    expect(await askInTime('/room/x')).toBe(200)
    expect(await askInTime('/early-socket.js')).toBe(200)
    expect(await askInTime('/readyz')).toBe(200)
    await signUpOverHttp(server, `late${round}`)
    await client.ask('send_message', { roomId, message: `round ${round}` })
  }

  expect(settled).toBe(0)
  release()
  for (const status of await Promise.all(waiting)) expect([0, 206, 404, 500, 503]).toContain(status)
  await vi.waitFor(async () => expect(await audio()).toBe(206), patience)
})

/** Returns what the threads of a server wait for in the kernel. */
function listWaits({ child }: ServerProcess): string[] {
  const threads = `/proc/${child.process.pid}/task`
  return readdirSync(threads).map((thread) => readFileSync(`${threads}/${thread}/wchan`, 'utf8'))
}

/** Sends a server what ends it. Resolves to what ended it, and the ms until then. */
async function endServer({ child }: ServerProcess, sent: NodeJS.Signals = 'SIGTERM') {
  const toldAtMs = performance.now()
  child.process.kill(sent)
  const giveUp = delay(14_000, 'it goes on', { ref: false })
  const code = await Promise.race([child.ended, giveUp])
  return { code, signal: child.process.signalCode, tookMs: performance.now() - toldAtMs }
}

it('16.131 a server that is told to end while the music disk hangs ends by itself, with everything stored', async () => {
  const { server, variables, db, client, roomId, musicDir, audio } = await startWithTrack()
  hang(musicDir)
  const waiting = Array.from({ length: listeners }, () => audio().catch(() => 0))
  await client.ask('send_message', { roomId, message: 'the last one' })
  const ended = await endServer(server)
  expect(ended).toMatchObject({ code: null, signal: 'SIGTERM' })
  expect(ended.tookMs).toBeLessThan(12_000)
  await Promise.all(waiting)
  const messages = await db.selectFrom('messages').select('content').execute()
  expect(messages).toEqual([{ content: 'the last one' }])
  // Closed in order: its members are gone, so no other process takes it for a crash.
  expect(server.child.output.stderr).toBe('')

  const scanning = await runServer(variables)
  expect((await ask(`${scanning.address}/readyz`)).status).toBe(200)
  // Told before its scan waits for the disk, it ends as any other.
  await vi.waitFor(() => expect(listWaits(scanning).join()).toContain('fuse'), patience)
  expect(await endServer(scanning)).toMatchObject({ code: null, signal: 'SIGTERM' })
})

it('16.171 a fatal error while the music disk hangs ends the process, with the error in the log', async () => {
  const fail = `process.on('SIGUSR2', () => { throw new Error('this is a bug') })`
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(fail)}`
  const { server, musicDir, audio } = await startWithTrack({ NODE_OPTIONS })
  hang(musicDir)
  const waiting = Array.from({ length: listeners }, () => audio().catch(() => 0))
  await vi.waitFor(() => expect(listWaits(server).join()).toContain('fuse'), patience)
  expect(await endServer(server, 'SIGUSR2')).toMatchObject({ code: null, signal: 'SIGKILL' })
  await Promise.all(waiting)
  expect(server.child.output.stdout).toMatch(/this is a bug.*Uncaught error; exiting/)
})
