import { randomUUID } from 'node:crypto'
import type { CommandName, PlaybackState } from '@earshot/core/protocol/entities'
import type { Ack, ClientAck, ClientEventName, ClientPayload } from '@earshot/core/protocol/socket-events'
import { io, type Socket } from 'socket.io-client'
import { callApi } from './http-client.ts'
import type { Person, ProductServer } from './product-server.ts'

/** A room's owner on the full Socket.IO client, joined, with a current track. */
export interface Owner {
  /** Sends a command; resolves to the acknowledged state once it is stored. */
  command(command: CommandName, positionMs?: number): Promise<PlaybackState>
  close(): void
}

const answerTimeoutMs = 30_000

/** Connects, joins and adds the server's track, which waits for play. */
export async function connectOwner(
  server: Pick<ProductServer, 'app' | 'trackId'>,
  person: Person,
  roomId: string,
): Promise<Owner> {
  const { url } = server.app
  const socket = io(url, {
    transports: ['websocket'],
    extraHeaders: { cookie: person.cookie, origin: url },
    reconnection: false,
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', resolve)
    socket.on('connect_error', reject)
  })
  await call(socket, 'join_room', { roomId })
  await call(socket, 'direct_command', { roomId, command: 'pause' })
  await callApi({
    method: 'POST',
    url: `${url}/api/rooms/${roomId}/queue`,
    body: { trackId: server.trackId },
    cookie: person.cookie,
    from: person.from,
  })
  return {
    command: async (command, positionMs) => {
      const position = positionMs === undefined ? {} : { position: positionMs }
      const answer = await call(socket, 'direct_command', {
        roomId,
        command,
        commandId: randomUUID(),
        ...position,
      })
      return answer.state
    },
    close: () => socket.disconnect(),
  }
}

async function call<Name extends ClientEventName>(
  socket: Socket,
  name: Name,
  payload: ClientPayload<Name>,
): Promise<ClientAck<Name>> {
  const answer = (await socket.timeout(answerTimeoutMs).emitWithAck(name, payload)) as Ack<ClientAck<Name>>
  if (answer.ok) return answer.data
  throw new Error(`${name} was refused: ${answer.error.code} ${answer.error.message}`)
}
