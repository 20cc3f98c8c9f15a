import { randomUUID } from 'node:crypto'
import type { CommandName, PlaybackState } from '@earshot/core/protocol/entities'
import { openRoomSocket } from '../load/room-socket.ts'
import { callApi } from './http-client.ts'
import type { Person, ProductServer } from './product-server.ts'

/** A room's owner, joined, with a current track. */
export interface Owner {
  /** Sends a command; resolves to the acknowledged state once it is stored. */
  command(command: CommandName, positionMs?: number): Promise<PlaybackState>
  /** Adds the server's track so many times. */
  fillQueue(count: number): Promise<void>
  close(): void
}

/** Connects, joins and adds the server's track, which waits for play. */
export async function connectOwner(
  server: Pick<ProductServer, 'app' | 'trackId'>,
  person: Person,
  roomId: string,
): Promise<Owner> {
  const { url } = server.app
  const socket = await openRoomSocket({ url, cookie: person.cookie })
  await socket.call('join_room', { roomId })
  await socket.call('direct_command', { roomId, command: 'pause' })
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
      const answer = await socket.call('direct_command', {
        roomId,
        command,
        commandId: randomUUID(),
        ...position,
      })
      return answer.state
    },
    fillQueue: async (count) => {
      const queue = Array.from({ length: count }, () => ({ id: server.trackId }))
      await socket.call('queue_updated', { roomId, queue })
    },
    close: () => socket.close(),
  }
}
