import { limits } from '@earshot/core/limits'
import { positionAt } from '@earshot/core/sync/timeline'
import type { ConfirmedRoom, PendingCommand, RoomSessionData } from './room-session-data.ts'

type Drawn = Pick<ConfirmedRoom, 'timeline' | 'track' | 'queue'>

/**
 * What the page draws: what the server says, with the viewer's commands on top that it has not answered yet. A command
 * that fails is taken away again, and with it all that it seemed to do.
 */
export function redraw(data: RoomSessionData): RoomSessionData {
  const { confirmed, pending } = data
  const current = pending.filter(({ basedOn }) => basedOn === confirmed.timeline.sequenceNumber)
  const { timeline, track, queue } = current.reduce<Drawn>(predict, confirmed)
  return { ...data, timeline, track, queue }
}

/** The room as the server will probably make it. */
function predict(room: Drawn, command: PendingCommand): Drawn {
  const { timeline } = room
  const startsAtMs = command.atServerMs + limits.leadMinMs
  switch (command.command) {
    case 'play':
      return { ...room, timeline: { ...timeline, isPlaying: true, atServerMs: startsAtMs } }
    case 'pause': {
      const positionMs = positionAt(timeline, command.atServerMs)
      return {
        ...room,
        timeline: { ...timeline, isPlaying: false, positionMs, atServerMs: command.atServerMs },
      }
    }
    case 'seek':
      return { ...room, timeline: { ...timeline, positionMs: command.positionMs, atServerMs: startsAtMs } }
    case 'previous':
      return { ...room, timeline: { ...timeline, positionMs: 0, atServerMs: startsAtMs } }
    case 'next':
      return predictNext(room, command)
  }
}

/** The first entry becomes the track, cued and waiting where the room was playing (4.13). */
function predictNext(room: Drawn, { atServerMs }: PendingCommand): Drawn {
  const [track, ...rest] = room.queue
  if (!track) return room
  return {
    track,
    queue: rest.map((entry, position) => ({ ...entry, position })),
    timeline: {
      ...room.timeline,
      trackId: track.id,
      source: track.source,
      durationMs: track.duration,
      isPlaying: false,
      isCueing: room.timeline.isPlaying,
      positionMs: 0,
      atServerMs,
    },
  }
}

export function addPending(data: RoomSessionData, command: PendingCommand): RoomSessionData {
  return redraw({ ...data, pending: [...data.pending, command] })
}

export function removePending(data: RoomSessionData, id: string): RoomSessionData {
  return redraw({ ...data, pending: data.pending.filter((command) => command.id !== id) })
}
