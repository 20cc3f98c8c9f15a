import { isCommandName } from '@earshot/core/protocol/wire-constants'
import type { ServerEventName, ServerPayload } from '@earshot/core/protocol/socket-events'
import { callApi } from '../api/call-api.ts'
import type { ServerConnection } from '../realtime/server-connection.ts'
import { update, type RoomState, type RoomStore } from './state/room-state.ts'
import {
  applyDirectCommand,
  applyMemberJoined,
  applyMessage,
  applyPlayback,
  applyPresence,
  applyQueue,
  applyRoom,
  applySyncStatus,
  applyTrack,
  missingTrackId,
} from './state/server-updates.ts'

const trackRetryMs = 2_000

/** Applies the server's events about one room to its store. Returns a function that stops it. */
export function listenToRoom(
  roomId: string,
  connection: Pick<ServerConnection, 'on'>,
  store: RoomStore,
): () => void {
  type RoomEvent = {
    [Name in ServerEventName]: ServerPayload<Name> extends { roomId: string } ? Name : never
  }[ServerEventName]
  const on = <Name extends RoomEvent>(
    name: Name,
    apply: (state: RoomState, payload: ServerPayload<Name>) => RoomState,
  ) =>
    connection.on(name, (payload) => {
      if (payload.roomId === roomId) update(store, (state) => apply(state, payload))
    })
  const stops = [
    on('playback_updated', (state, payload) => applyPlayback(state, payload.state)),
    on('direct_command', (state, payload) => {
      if (isCommandName(payload.command)) return applyDirectCommand(state, payload)
      // oxlint-disable-next-line no-console -- from a server newer than this page; the console is for its developer
      console.warn('Ignored an unknown direct_command', payload)
      return state
    }),
    on('queueUpdate', (state, { queue, version }) => applyQueue(state, queue, version ?? null)),
    on('roomUpdate', (state, { room }) => applyRoom(state, room)),
    on('userJoin', (state, { user }) => applyMemberJoined(state, user)),
    on('userPresence', (state, { users, count }) => applyPresence(state, users, count)),
    on('message', (state, { message }) => applyMessage(state, message)),
    on('sync_status', applySyncStatus),
  ]
  return () => stops.forEach((stop) => stop())
}

/** Fetches the timeline's track when neither room nor queue contain it (4.19a). Returns a function that stops it. */
export function fetchMissingTracks(store: RoomStore): () => void {
  let wanted: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const fetchTrack = async (trackId: string) => {
    try {
      const { track } = await callApi('GET /api/tracks/:trackId', { params: { trackId } })
      update(store, (state) => applyTrack(state, track))
    } catch {
      timer = setTimeout(() => {
        if (wanted === trackId) void fetchTrack(trackId)
      }, trackRetryMs)
    }
  }

  const check = () => {
    const missing = missingTrackId(store.getState())
    if (missing === wanted) return
    clearTimeout(timer)
    wanted = missing
    if (missing !== null) void fetchTrack(missing)
  }
  const unsubscribe = store.subscribe(check)
  return () => {
    unsubscribe()
    clearTimeout(timer)
    wanted = null
  }
}
