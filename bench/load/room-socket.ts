import type { Ack, ClientAck, ClientEventName, ClientPayload } from '@earshot/core/protocol/socket-events'
import WebSocket from 'ws'

/**
 * A Socket.IO connection reduced to what many listeners in one process need: WebSocket from the start, text frames,
 * no parsing beyond need. The full client costs so much per event that two hundred of them would
 * measure themselves. (Engine.IO protocol 4, Socket.IO protocol 5.)
 */
export interface RoomSocket {
  /** Sends an event and resolves to the data of its answer; rejects with `EventRefused`. */
  call<Name extends ClientEventName>(name: Name, payload: ClientPayload<Name>): Promise<ClientAck<Name>>
  /** Sends an event and resolves once it succeeded; its answer, which may be long, is not parsed. */
  request<Name extends ClientEventName>(name: Name, payload: ClientPayload<Name>): Promise<void>
  /** Sends an event that needs no answer. */
  tell<Name extends ClientEventName>(name: Name, payload: ClientPayload<Name>): void
  /** Traffic received since the connection was opened. */
  received: { frames: number; bytes: number }
  close(): void
}

/** The server answered an event with an error. */
export class EventRefused extends Error {
  readonly code: string
  readonly retryAfterMs: number | null

  constructor(event: string, code: string, retryAfterMs: number | null) {
    super(`${event} was refused: ${code}`)
    this.name = 'EventRefused'
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

export interface RoomSocketOptions {
  /** The server, `http://host:port`. */
  url: string
  /** The session, as a `cookie` header. */
  cookie: string
  /** Called with each event's frame as it arrived, `["name",payload]`. */
  onEvent?: (frame: string) => void
}

const answerTimeoutMs = 30_000

/** Connects and signs in. Rejects where the server refuses. */
export async function openRoomSocket(options: RoomSocketOptions): Promise<RoomSocket> {
  const address = `${options.url.replace(/^http/, 'ws')}/socket.io/?EIO=4&transport=websocket`
  const socket = new WebSocket(address, { headers: { cookie: options.cookie, origin: options.url } })
  const received = { frames: 0, bytes: 0 }
  const answers = new Map<number, (answer: string) => void>()
  let calls = 0

  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed the connection')))
    socket.on('message', (data: Buffer) => {
      received.frames += 1
      received.bytes += data.length
      const frame = data.toString('utf8')
      if (frame === '2') socket.send('3')
      else if (frame.startsWith('42')) options.onEvent?.(frame.slice(2))
      else if (frame.startsWith('43')) takeAnswer(answers, frame.slice(2))
      else if (frame.startsWith('44')) reject(new Error(`The server refused the connection: ${frame}`))
      else if (frame.startsWith('40')) resolve()
      else if (frame.startsWith('0')) socket.send('40')
    })
  })

  const send = (name: ClientEventName, payload: unknown): Promise<string> => {
    const id = (calls += 1)
    const answer = waitForAnswer(answers, id, name)
    socket.send(`42${id}${JSON.stringify([name, payload])}`)
    return answer
  }

  return {
    received,
    call: async (name, payload) => parseAnswer<ClientAck<typeof name>>(name, await send(name, payload)),
    request: async (name, payload) => {
      const answer = await send(name, payload)
      if (!answer.startsWith('[{"ok":true')) parseAnswer(name, answer)
    },
    tell: (name, payload) => socket.send(`42${JSON.stringify([name, payload])}`),
    close: () => socket.terminate(),
  }
}

function takeAnswer(answers: Map<number, (answer: string) => void>, frame: string): void {
  const start = frame.indexOf('[')
  const id = Number(frame.slice(0, start))
  answers.get(id)?.(frame.slice(start))
  answers.delete(id)
}

/** @throws EventRefused */
function parseAnswer<Data>(name: string, text: string): Data {
  const [answer] = JSON.parse(text) as [Ack<Data>]
  if (answer.ok) return answer.data
  throw new EventRefused(name, answer.error.code, answer.error.retryAfterMs ?? null)
}

function waitForAnswer(
  answers: Map<number, (answer: string) => void>,
  id: number,
  name: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      answers.delete(id)
      reject(new Error(`The server did not answer ${name} within ${answerTimeoutMs} ms`))
    }, answerTimeoutMs)
    answers.set(id, (answer) => {
      clearTimeout(timer)
      resolve(answer)
    })
  })
}
