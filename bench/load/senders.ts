import { setTimeout as delay } from 'node:timers/promises'
import type { CommandSource } from './rounds.ts'
import type { Defer } from '../defer.ts'
import type { Load } from './load.ts'
import { connectOwner } from '../product/owner-client.ts'
import { type ProductServer, makeRoom, startProductServer, takeAt } from '../product/product-server.ts'
import { startBaselineServer } from '../baseline/baseline-server.ts'

/** The owner, and as many listeners as it takes to join a thousand times without waiting for the limit of joins. */
const people = 51
const settleMs = 300

/** The room of a product server, whose audience can grow. */
export interface ProductSource extends CommandSource {
  server: ProductServer
  /** Lets listeners join until there are `count`. */
  listenUpTo(count: number): Promise<void>
}

/** Starts a server with one room, its owner and `listeners` joined; the owner plays and pauses in turn. */
export async function openProductSource(
  defer: Defer,
  load: Load,
  options: { group: string; listeners: number; env?: Record<string, string> },
): Promise<ProductSource> {
  const { group } = options
  const server = await startProductServer(defer, { people, ...(options.env ? { env: options.env } : {}) })
  const owner = takeAt(server.people, 0)
  const roomId = await makeRoom(server, owner)
  const remote = await connectOwner(server, owner, roomId)
  defer(() => remote.close())
  const cookies = server.people.slice(1).map((person) => person.cookie)
  let listeners = 0
  const listenUpTo = async (count: number) => {
    await load.run('open', { group, url: server.app.url, cookies, count: count - listeners })
    await load.run('join', { group, roomIds: [roomId], isAtOnce: false, from: listeners })
    listeners = count
  }
  await load.run('open', { group, url: server.app.url, cookies, count: 0 })
  defer(() => load.run('close', { group }))
  await listenUpTo(options.listeners)
  return {
    group,
    server,
    listenUpTo,
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
  const baseline = await startBaselineServer()
  defer(() => baseline.stop())
  await baseline.configure({ frames: frames.map((frame) => `42${frame}`), answerBytes: 0, journal })
  await load.run('open', { group, url: baseline.url, cookies: [], count: listeners })
  defer(() => load.run('close', { group }))
  const sender = await baseline.connectSender()
  defer(() => sender.close())
  let sequenceNumber = 10_000
  return {
    group,
    listeners,
    pid: baseline.pid,
    command: async () => {
      const own = (sequenceNumber += 1)
      await sender.broadcast(own)
      return own
    },
  }
}
