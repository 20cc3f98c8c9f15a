import type { ClientPayload } from '@earshot/core/protocol/socket-events'
import type { RoomCommand } from '@earshot/core/room/room-state'
import type { Db } from '../db/database.ts'
import { newId } from '../ids.ts'
import type { RoomRuntime } from '../rooms/room-runtime.ts'
import { requireTracks } from '../rooms/tracks.ts'
import { bindEvent } from './client-event.ts'

export function queueEvents(parts: { db: Db; runtime: RoomRuntime }) {
  return {
    queue_updated: bindEvent('queue_updated', {
      rate: 'queue',
      isBulky: true,
      handle: async ({ roomId, queue }, call) => {
        await call.requireMember(roomId)
        const command = await toArrangement(parts.db, queue, call.user.id)
        const actor = { kind: 'user', id: call.user.id, isMember: true } as const
        const { state } = await parts.runtime.runCommand(roomId, command, actor)
        return { queue: state.queue }
      },
    }),
  }
}

/** Entries with an id give the order; tracks without one are added. */
async function toArrangement(
  db: Db,
  queue: ClientPayload<'queue_updated'>['queue'],
  addedBy: string,
): Promise<RoomCommand> {
  const order = queue.flatMap((entry) => entry.entry_id ?? [])
  const trackIds = queue.flatMap((entry) => (entry.entry_id === undefined ? entry.id : []))
  const tracks = await requireTracks(db, trackIds)
  const added = tracks.map((track) => ({ track, entryId: newId() }))
  return { type: 'arrange_queue', order, added, addedBy }
}
