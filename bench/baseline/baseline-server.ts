import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import WebSocket from 'ws'

/** Settings of the raw WebSocket server. */
export interface BaselineSettings {
  /** The frames of one broadcast; their sequence number is replaced by that of the broadcast. */
  frames: string[]
  /** How long an answer to a join is. */
  answerBytes: number
  /** A file to which each broadcast is appended, and on disk, before it is sent; null: nothing is stored. */
  journal: string | null
}

/** The raw WebSocket server, in a process of its own. */
export interface BaselineServer {
  url: string
  pid: number
  configure(settings: BaselineSettings): Promise<void>
  /** Opens a connection that requests broadcasts to those of the same path. */
  connectSender(path: string): Promise<BaselineSender>
  stop(): Promise<void>
}

export interface BaselineSender {
  /** Requests a broadcast; resolves when the server confirms it. */
  broadcast(sequenceNumber: number): Promise<void>
  close(): void
}

/** Starts the server process with extra flags of Node. */
export async function startBaselineServer(nodeFlags: string[] = []): Promise<BaselineServer> {
  const child = fork(join(import.meta.dirname, 'ws-server.ts'), {
    execArgv: [...process.execArgv, ...nodeFlags],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    pid: child.pid ?? 0,
    configure: async (settings) => {
      const applied = once(child, 'message')
      child.send(settings)
      await applied
    },
    connectSender: (path) => connectSender(url + path),
    stop: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

async function connectSender(url: string): Promise<BaselineSender> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'))
  const waiting = new Map<string, () => void>()
  socket.on('message', (data: Buffer) => {
    const message = data.toString('utf8')
    if (message.startsWith('a')) waiting.get(message)?.()
  })
  await once(socket, 'open')
  return {
    broadcast: (sequenceNumber) =>
      new Promise((resolve) => {
        const answer = `a${sequenceNumber}`
        waiting.set(answer, () => {
          waiting.delete(answer)
          resolve()
        })
        socket.send(String(sequenceNumber))
      }),
    close: () => socket.terminate(),
  }
}
