import { isCommandName } from '@earshot/core/protocol/wire-constants'
import type { ServerConnection } from '../realtime/server-connection.ts'
import {
  applyDirectCommand,
  applyMemberJoined,
  applyMessage,
  applyPlayback,
  applyPresence,
  applyQueue,
  applyRoom,
  applySyncStatus,
} from './state/server-updates.ts'
import { update, type RoomStore } from './state/room-store.ts'

/** Takes the server's events about one room into its store. Returns what stops it. */
export function listenToRoom(
  roomId: string,
  connection: Pick<ServerConnection, 'on'>,
  store: RoomStore,
): () => void {
  const isHere = (payload: { roomId: string }) => payload.roomId === roomId
  const stops = [
    connection.on('playback_updated', (payload) => {
      if (isHere(payload)) update(store, (data) => applyPlayback(data, payload.state))
    }),
    connection.on('direct_command', (payload) => {
      if (!isHere(payload)) return
      if (isCommandName(payload.command)) update(store, (data) => applyDirectCommand(data, payload))
      // oxlint-disable-next-line no-console -- of a server that is newer than this page, for whoever looks into it
      else console.warn('Ignored an unknown direct_command', payload)
    }),
    connection.on('queueUpdate', (payload) => {
      if (isHere(payload)) update(store, (data) => applyQueue(data, payload.queue, payload.version ?? null))
    }),
    connection.on('roomUpdate', (payload) => {
      if (isHere(payload)) update(store, (data) => applyRoom(data, payload.room))
    }),
    connection.on('userJoin', (payload) => {
      if (isHere(payload)) update(store, (data) => applyMemberJoined(data, payload.user))
    }),
    connection.on('userPresence', (payload) => {
      if (isHere(payload)) update(store, (data) => applyPresence(data, payload.users, payload.count))
    }),
    connection.on('message', (payload) => {
      if (isHere(payload)) update(store, (data) => applyMessage(data, payload.message))
    }),
    connection.on('sync_status', (payload) => {
      if (isHere(payload)) update(store, (data) => applySyncStatus(data, payload))
    }),
  ]
  return () => stops.forEach((stop) => stop())
}
