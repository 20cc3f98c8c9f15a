import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { CommandSource } from './rounds.ts'
import type { Defer } from '../defer.ts'
import type { Load } from './load.ts'
import { connectOwner } from '../product/owner-client.ts'
import {
  type Person,
  type ProductServer,
  makeRoom,
  startProductServer,
  takeAt,
} from '../product/product-server.ts'
import { type BaselineServer, startBaselineServer } from '../baseline/baseline-server.ts'

/** The owner, and as many listeners as it takes to join a thousand times without waiting for the limit of joins. */
const people = 51
const settleMs = 300

/** A room of a product server, whose audience can grow. */
export interface RoomSource extends CommandSource {
  /** Lets listeners join until there are `count`. */
  listenUpTo(count: number): Promise<void>
}

/** The only room of a product server. */
export interface ProductSource extends RoomSource {
  server: ProductServer
}

/** Starts a server with one room, its owner and `listeners` joined; the owner plays and pauses in turn. */
export async function openProductSource(
  defer: Defer,
  load: Load,
  options: { group: string; listeners: number; env?: Record<string, string> },
): Promise<ProductSource> {
  const { group, listeners, env } = options
  const server = await startProductServer(defer, { people, ...(env ? { env } : {}) })
  const owner = takeAt(server.people, 0)
  const source = await openRoomSource(defer, load, { group, server, owner, members: server.people.slice(1) })
  await source.listenUpTo(listeners)
  return Object.assign(source, { server })
}

/**
 * Makes a room with its owner, who plays and pauses in turn, and the track of the server. Its listeners are `members`
 * in turn.
 */
export async function openRoomSource(
  defer: Defer,
  load: Load,
  options: { group: string; server: ProductServer; owner: Person; members: Person[] },
): Promise<RoomSource> {
  const { group, server, owner, members } = options
  const roomId = await makeRoom(server, owner)
  const remote = await connectOwner(server, owner, roomId)
  defer(() => remote.close())
  const cookies = members.map((person) => person.cookie)
  await load.run('open', { group, url: server.app.url, cookies, count: 0 })
  defer(() => load.run('close', { group }))
  let listeners = 0
  return {
    group,
    async listenUpTo(count) {
      await load.run('open', { group, url: server.app.url, cookies, count: count - listeners })
      await load.run('join', { group, roomIds: [roomId], isAtOnce: false, from: listeners })
      listeners = count
    },
    get listeners() {
      return listeners
    },
    command: async (index) => (await remote.command(index % 2 === 0 ? 'play' : 'pause')).sequence_number,
  }
}

/** The frames that one command of the source brings to one listener. */
export async function sampleFrames(load: Load, source: CommandSource): Promise<string[]> {
  const { group } = source
  await delay(settleMs) // until the events of the joins have arrived
  await load.run('startRecording', { group })
  await source.command(0)
  await source.command(1)
  await delay(settleMs)
  const { samples } = await load.run('stopRecording', { group })
  const isOfCommand = (frame: string) => /^\["(playback_updated|direct_command)"/.test(frame)
  const frames = samples.filter(isOfCommand)
  if (frames.length === 0 || frames.length % 2 !== 0)
    throw new Error(`Two commands brought ${frames.length} frames`)
  return frames.slice(0, frames.length / 2)
}

/** Starts the raw WebSocket server with as many connections; it sends `frames`, byte for byte, at each command. */
export async function openBaselineSource(
  defer: Defer,
  load: Load,
  options: { group: string; listeners: number; frames: string[]; journal: string | null },
): Promise<CommandSource & { pid: number }> {
  const { group, listeners, frames, journal } = options
  const baseline = await startBaseline(defer, frames, journal)
  const source = await openBaselineRoom(defer, load, { baseline, group, listeners })
  return { ...source, pid: baseline.pid }
}

/** Starts the raw WebSocket server, which sends `frames` at each command. */
export async function startBaseline(
  defer: Defer,
  frames: string[],
  journal: string | null,
): Promise<BaselineServer> {
  const baseline = await startBaselineServer()
  defer(() => baseline.stop())
  await baseline.configure({ frames: frames.map((frame) => `42${frame}`), answerBytes: 0, journal })
  return baseline
}

/** Opens connections to the raw WebSocket server that get the frames of one sender. */
export async function openBaselineRoom(
  defer: Defer,
  load: Load,
  options: { baseline: BaselineServer; group: string; listeners: number },
): Promise<CommandSource> {
  const { baseline, group, listeners } = options
  const path = `/${encodeURIComponent(group)}`
  await load.run('open', { group, url: baseline.url + path, cookies: [], count: listeners })
  defer(() => load.run('close', { group }))
  const sender = await baseline.connectSender(path)
  defer(() => sender.close())
  let sequenceNumber = 10_000
  return {
    group,
    listeners,
    command: async () => {
      const own = (sequenceNumber += 1)
      await sender.broadcast(own)
      return own
    },
  }
}

/** A file beside the data folders of the servers, so that all write to the same disk. */
export function openJournal(defer: Defer): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  defer(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'journal')
}
