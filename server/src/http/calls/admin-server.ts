import type { ServerFigures } from '@earshot/core/protocol/admin-calls'
import { AppError } from '@earshot/core/protocol/errors'
import { httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance } from 'fastify'
import { listAllRooms, renameRoom } from '../../db/admin-rooms.ts'
import { foldText } from '../../library/search-text.ts'
import type { EventBus } from '../../events.ts'
import type { Db } from '../../db/database.ts'
import { countLibraryTracks } from '../../db/catalogue/library-files.ts'
import type { MusicLibrary } from '../../library/music-library.ts'
import type { Membership } from '../../presence/membership.ts'
import { deleteAnyRoom } from '../../rooms/room-edits.ts'
import { toNameColumns } from '../../rooms/room-name.ts'
import { type AdminCallParts, registerAdminCall } from './admin-call.ts'
import { nextOffset } from './admin-users.ts'
import { serverLimits } from '../../server-limits.ts'

export interface AdminServerParts extends AdminCallParts {
  db: Db
  events: EventBus
  membership: Pick<Membership, 'closeRoom'>
  library: Pick<MusicLibrary, 'status' | 'isScanning' | 'problems' | 'rescan'>
  readFigures: () => Promise<ServerFigures>
}

/** Serves the rooms, the library and the figures of the server, to administrators. */
export function registerAdminServerCalls(server: FastifyInstance, parts: AdminServerParts): void {
  const { db, library } = parts
  registerAdminRoomCalls(server, parts)

  registerAdminCall(server, parts, httpApi.getLibraryState, {
    handle: async () => {
      const problems = library.problems()
      return {
        library: {
          isScanning: library.isScanning(),
          reason: library.status().reason,
          trackCount: await countLibraryTracks(db),
          problemCount: problems.length,
          problems: problems
            .slice(0, serverLimits.libraryProblemsShown)
            .map(({ path, reason }) => ({ path, reason })),
        },
      }
    },
  })

  registerAdminCall(server, parts, httpApi.scanLibrary, {
    audit: () => ({ action: 'scan_library' }),
    handle: async () => {
      // Requests during a scan are joined. The scanner logs its failures.
      void library.rescan()
      return {}
    },
  })

  registerAdminCall(server, parts, httpApi.getFigures, {
    handle: async () => ({ figures: await parts.readFigures() }),
  })
}

function registerAdminRoomCalls(server: FastifyInstance, parts: AdminServerParts): void {
  const { db } = parts
  registerAdminCall(server, parts, httpApi.listAllRooms, {
    handle: async ({ query: { q, offset } }) => {
      const { rooms, total } = await listAllRooms(db, { searchText: foldText(q), offset })
      return { rooms, total, nextOffset: nextOffset(offset, rooms.length, total) }
    },
  })

  registerAdminCall(server, parts, httpApi.renameAnyRoom, {
    audit: ({ params }) => ({ action: 'rename_room', target: params.roomId }),
    handle: async ({ params: { roomId }, body: { name } }) => {
      if (!(await renameRoom(db, roomId, toNameColumns(name)))) throw new AppError('room_not_found')
      await parts.events.emit('roomEdited', { roomId })
      return {}
    },
  })

  registerAdminCall(server, parts, httpApi.deleteAnyRoom, {
    audit: ({ params }) => ({ action: 'delete_room', target: params.roomId }),
    handle: async ({ params: { roomId } }) => {
      await deleteAnyRoom(parts, roomId)
      return {}
    },
  })
}
