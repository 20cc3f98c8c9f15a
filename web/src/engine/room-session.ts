import { AppError } from '@earshot/core/protocol/errors'
import { positionAt } from '@earshot/core/sync/timeline'
import { callApi } from '../api/call-api.ts'
import type { ServerConnection } from '../realtime/server-connection.ts'
import { wallNow } from '../realtime/wall-clock.ts'
import {
  readMuted,
  readNudgesMs,
  readVolume,
  writeMuted,
  writeNudgeMs,
  writeVolume,
} from './device-settings.ts'
import { LiveRoom } from './room-runtime.ts'
import { giveCommand, type OwnerCommand } from './commands.ts'
import { loadOlderMessages } from './message-history.ts'
import { requestSync } from './periodic-reports.ts'
import { initialSessionData } from './state/room-session-data.ts'
import type { RoomActions } from './state/room-state.ts'
import { createRoomStore, update, type RoomStore } from './state/room-store.ts'
import { dropSessionCopy, readSessionCopy, saveSessionCopy } from './state/recovery-copy.ts'

/** One stay in one room: its state, what can be done in it, and when it begins and ends. */
export interface RoomSession {
  store: RoomStore
  actions: RoomActions
  /** For the debug tools; null until there is one, which the store's `connection` tells. */
  connection: () => ServerConnection | null
  /** What runs while somebody is in the room, for the diagnosis; null until it does. */
  live: () => LiveRoom | null
  /** Goes into the room. May be called again after `stop`. */
  start: () => void
  /** Leaves it. */
  stop: () => void
}

export function createRoomSession(roomId: string, userId: string): RoomSession {
  const settings = { volume: readVolume(), isMuted: readMuted(), nudgesMs: readNudgesMs() }
  const copy = readSessionCopy(roomId, userId, wallNow())
  const store = createRoomStore({ ...initialSessionData(userId, settings), ...copy?.room })
  let live: LiveRoom | null = null
  let start: AbortController | null = null

  const keepCopy = () => saveSessionCopy(roomId, store.getState(), wallNow())
  const open = async ({ signal }: AbortController) => {
    // A page that is only tried out and thrown away again, as React does in development, goes nowhere.
    await Promise.resolve()
    const servers = signal.aborted ? [] : await listServers(signal)
    if (signal.aborted) return
    const onLeft = () => dropSessionCopy(roomId)
    live = new LiveRoom({ roomId, store, servers, copySavedAtMs: copy?.savedAtMs ?? null, onLeft })
  }

  return {
    store,
    actions: createRoomActions(roomId, store, () => live),
    connection: () => live?.connection ?? null,
    live: () => live,
    start() {
      window.addEventListener('pagehide', keepCopy)
      start = new AbortController()
      void open(start)
    },
    stop() {
      window.removeEventListener('pagehide', keepCopy)
      start?.abort()
      // Who leaves before the server was asked leaves on purpose, too.
      if (live) live.close()
      else dropSessionCopy(roomId)
      live = null
    },
  }
}

/** The realtime servers to try, best first: the page's own origin where none are configured. */
async function listServers(signal: AbortSignal): Promise<readonly string[]> {
  const own = [window.location.origin]
  try {
    const { socketServers } = await callApi('GET /api/config', {}, signal)
    return socketServers.length > 0 ? socketServers : own
  } catch {
    return own
  }
}

function createRoomActions(roomId: string, store: RoomStore, getLive: () => LiveRoom | null): RoomActions {
  const requireLive = (): LiveRoom => {
    const live = getLive()
    if (!live) throw new AppError('unavailable')
    return live
  }
  const give = async (command: OwnerCommand): Promise<void> => {
    const { link, player } = requireLive()
    // The click that starts the music is also what lets the browser play it.
    void player.unlock()
    await giveCommand(link, command)
  }
  return {
    play: () => give({ command: 'play' }),
    pause: () => give({ command: 'pause' }),
    seek: (positionMs) => give({ command: 'seek', positionMs }),
    next: () => give({ command: 'next' }),
    previous: () => give({ command: 'previous' }),
    async sync() {
      const { link, player } = requireLive()
      player.align()
      await requestSync(link, { forceSync: true })
    },
    async addTrack(track) {
      await callApi('POST /api/rooms/:roomId/queue', { params: { roomId }, body: { trackId: track.id } })
    },
    async removeEntry(entryId) {
      await callApi('DELETE /api/rooms/:roomId/queue/:entryId', { params: { roomId, entryId } })
    },
    async sendMessage(content) {
      await requireLive().link.connection.call('send_message', { roomId, message: content })
    },
    loadOlderMessages: () => loadOlderMessages(roomId, store),
    submitPassword: (password) => getLive()?.membership.submitPassword(password),
    retryConnection() {
      getLive()?.membership.retry()
      getLive()?.connection.reconnect()
    },
    setVolume(volume) {
      writeVolume(volume)
      update(store, (data) => ({ ...data, volume }))
    },
    setMuted(isMuted) {
      writeMuted(isMuted)
      update(store, (data) => ({ ...data, isMuted }))
    },
    setNudge(source, nudgeMs) {
      writeNudgeMs(source, nudgeMs)
      update(store, (data) => ({ ...data, nudgesMs: { ...data.nudgesMs, [source]: nudgeMs } }))
    },
    async unlockSound() {
      await getLive()?.player.unlock()
    },
    positionNow: () => positionNow(store, getLive()),
  }
}

function positionNow(store: RoomStore, live: LiveRoom | null): number {
  const { timeline } = store.getState()
  return live ? positionAt(timeline, live.link.clock.serverNow()) : timeline.positionMs
}
