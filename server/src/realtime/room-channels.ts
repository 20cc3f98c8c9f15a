import type { RoomSocket } from './room-sockets.ts'

/** Returns the socket.io room with the sockets of a room's members. */
export const channelOf = (roomId: string): string => `room:${roomId}`

/** Returns the ids of the rooms with members among socket.io's own rooms. */
export function roomIdsOf(channels: Iterable<string>): string[] {
  const prefix = channelOf('')
  return [...channels].flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : []))
}

/** The socket.io rooms with those sockets that get differences of the queue, and those that get the whole queue. */
export const deltaChannelOf = (roomId: string): string => `queue-deltas:${roomId}`
export const wholeChannelOf = (roomId: string): string => `queues:${roomId}`

/** The socket.io room with those sockets that get the sync of all members, not its changes. */
export const wholeSyncChannelOf = (roomId: string): string => `sync:${roomId}`

/** All channels of a room. */
export const channelsOf = (roomId: string): string[] =>
  [channelOf, deltaChannelOf, wholeChannelOf, wholeSyncChannelOf].map((toName) => toName(roomId))

/** Adds a socket to the channels of a room. */
export async function joinChannels(
  socket: RoomSocket,
  roomId: string,
  { queueDeltas = false, syncChanges = false }: { queueDeltas?: boolean; syncChanges?: boolean },
): Promise<void> {
  await switchQueueChannel(socket, roomId, { queueDeltas })
  if (syncChanges) await socket.leave(wholeSyncChannelOf(roomId))
  else await socket.join(wholeSyncChannelOf(roomId))
  await socket.join(channelOf(roomId))
}

/** Chooses how a member gets the queue. */
export async function switchQueueChannel(
  socket: RoomSocket,
  roomId: string,
  { queueDeltas }: { queueDeltas: boolean },
): Promise<void> {
  const [queueChannel, otherChannel] = queueDeltas
    ? [deltaChannelOf(roomId), wholeChannelOf(roomId)]
    : [wholeChannelOf(roomId), deltaChannelOf(roomId)]
  await socket.leave(otherChannel)
  await socket.join(queueChannel)
}

/** Stops the broadcasts of a room to a socket. */
export async function leaveChannels(socket: RoomSocket, roomId: string): Promise<void> {
  for (const channel of channelsOf(roomId)) await socket.leave(channel)
}
