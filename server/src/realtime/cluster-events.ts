import type { Clock } from '@earshot/core/clock'
import type { EventBus } from '../events.ts'
import type { RoomServer } from './room-sockets.ts'
import { channelOf, channelsOf, leaveChannels } from './room-channels.ts'
import type { RedisLink } from './redis-link.ts'
import type { RoomRelay } from './room-relay.ts'

/**
 * Relays events between server processes and applies them to the sockets of this one: disconnects ended sessions, removes
 * users from the channels of rooms they left, and all members from those of closed rooms. Unplayable tracks are relayed
 * because any process may have to skip them, missed broadcasts because each resends its rooms.
 */
export function relayClusterEvents(parts: {
  io: RoomServer
  events: EventBus
  relay: RoomRelay
  clock: Clock
  /** Null where the server is one process. */
  redis: RedisLink | null
}): void {
  const { io, events, relay, clock, redis } = parts
  const isShared = redis !== null

  events.on('sessionEnded', ({ sessionId, isRemote }) => {
    for (const socket of io.sockets.sockets.values()) {
      if (socket.data.session.id !== sessionId) continue
      socket.data.isSignedOut = true
      socket.disconnect(true)
    }
    if (isShared && !isRemote) io.serverSideEmit('session_ended', sessionId)
  })
  events.on('profileChanged', ({ userId, isRemote }) => {
    if (isShared && !isRemote) io.serverSideEmit('profile_changed', userId)
  })
  events.on('userRemoved', ({ roomId, userId, reason, isRemote }) => {
    for (const socket of io.sockets.sockets.values()) {
      const isThere = socket.data.session.user.id === userId && socket.rooms.has(channelOf(roomId))
      if (!isThere) continue
      if (reason !== 'left') socket.emit('removed_from_room', { roomId, reason })
      void leaveChannels(socket, roomId)
    }
    if (!isRemote) relay.send(roomId, 'userRemoved', { userId, reason })
  })
  events.on('roomClosed', ({ roomId, reason, isRemote }) => {
    const channel = channelOf(roomId)
    io.local.to(channel).emit('room_closed', { roomId, reason })
    io.local.socketsLeave(channelsOf(roomId))
    if (!isRemote) relay.send(roomId, 'roomClosed', { reason })
  })
  events.on('broadcastsMissed', ({ sinceMs, by }) => {
    if (by !== 'here') io.serverSideEmit('broadcasts_missed', sinceMs)
  })
  events.on('tracksUnplayable', ({ isRemote, ...report }) => {
    if (isShared && !isRemote) io.serverSideEmit('tracks_unplayable', report)
  })

  io.on('session_ended', (sessionId) => void events.emit('sessionEnded', { sessionId, isRemote: true }))
  io.on('profile_changed', (userId) => void events.emit('profileChanged', { userId, isRemote: true }))
  io.on('broadcasts_missed', (sinceMs) => void events.emit('broadcastsMissed', { sinceMs, by: 'here' }))
  relay.on('userRemoved', (roomId, { userId, reason }) => {
    void events.emit('userRemoved', { roomId, userId, reason, isRemote: true })
  })
  relay.on('roomClosed', (roomId, { reason }) => {
    void events.emit('roomClosed', { roomId, reason, isRemote: true })
  })
  io.on('tracks_unplayable', (report) => void events.emit('tracksUnplayable', { ...report, isRemote: true }))
  redis?.publisher.onRestored((agoMs) => {
    void events.emit('broadcastsMissed', { sinceMs: clock.now() - agoMs, by: 'elsewhere' })
  })
  redis?.subscriber.onRestored((agoMs) => {
    const sinceMs = clock.now() - agoMs
    void events.emit('broadcastsMissed', { sinceMs, by: 'here' })
    io.serverSideEmit('deletions_missed', sinceMs)
  })
}
