import { setTimeout as delay } from 'node:timers/promises'
import { trackAudioPath } from '@earshot/core/protocol/media-paths'
import { expect, it, vi } from 'vitest'
import type { TestUser } from '../apps.ts'
import { ask } from '../ask.ts'
import { makeFolder } from '../folders.ts'
import { idOf, writeOldTrack } from '../music.ts'
import { type TestCluster, balance, openTestDatabase, startCluster } from './cluster.ts'

/** A cluster with one track in its library, and a member of a room that has it in its queue. */
async function startWithTrack(): Promise<{ cluster: TestCluster; member: TestUser; trackId: string }> {
  const musicDir = await makeFolder()
  await writeOldTrack(musicDir, 'song.wav', { title: 'Song' })
  const cluster = await startCluster(async () => ({ MUSIC_DIR: musicDir }))
  const member = await cluster.signUp('member')
  const roomId = await cluster.makeRoom(member)
  const db = await openTestDatabase(cluster.options)
  const trackId = await vi.waitFor(() => idOf(db, 'Song'))
  const { address } = cluster.servers[0]
  const headers = { cookie: member.cookie, origin: address }
  await ask(`${address}/api/rooms/${roomId}/queue`, { method: 'POST', headers, body: { trackId } })
  return { cluster, member, trackId }
}

const faults: [string, (cluster: TestCluster) => Promise<void>][] = [
  ['Redis is away', ({ redis }) => redis.stop()],
  ['Redis hangs', async ({ redis }) => redis.signal('SIGSTOP')],
  ['PostgreSQL is away', ({ postgres }) => postgres.halt('fast')],
]

it.each(faults)(
  '16.202 %s, so that no process is ready: the balancer still passes pages and sound',
  { timeout: 240_000 },
  async (_, fail) => {
    const { cluster, member, trackId } = await startWithTrack()
    const site = await balance(cluster.servers.map(({ address }) => address))
    const headers = { cookie: member.cookie, range: 'bytes=0-99' }
    const hear = async () => (await ask(site + trackAudioPath(trackId), { headers })).status
    // Once at each process, which take turns.
    for (const _server of cluster.servers) expect(await hear()).toBe(206)
    await fail(cluster)
    const isReady = async ({ address }: { address: string }) =>
      (await ask(`${address}/readyz`)).status === 200
    await vi.waitFor(async () => expect(await Promise.all(cluster.servers.map(isReady))).not.toContain(true))
    // The balancer has seen so, too, once it has asked again.
    await vi.waitFor(async () => expect((await ask(`${site}/readyz`)).status).toBe(503))
    // Longer than audio is sent without looking a listener up.
    await delay(31_000)
    for (const _server of cluster.servers) {
      expect(await hear()).toBe(206)
      expect((await ask(`${site}/api/config`)).status).toBe(200)
    }
  },
)
