import type { Clock } from '@earshot/core/clock'
import type { LibraryRule } from '../accounts/library-access.ts'
import type { Db } from '../db/database.ts'
import type { Limiters } from '../limits/rate-limits.ts'
import type { Membership } from '../presence/membership.ts'
import type { Presence } from '../presence/presence.ts'
import type { Playability } from '../sync-reports/playability.ts'
import type { SyncReports } from '../sync-reports/sync-reports.ts'
import type { Chat } from './chat.ts'
import type { Doors } from './door.ts'
import type { Reactions } from './reactions.ts'
import type { RoomChangeLimit } from './room-change-limit.ts'
import type { RoomRuntime } from './room-runtime.ts'
import type { RoomSnapshots } from './room-snapshots.ts'
import type { RoomViews } from './room-view.ts'
import type { VotesToSkip } from './skip-votes.ts'
import type { TrackReadiness } from './schedule/track-readiness.ts'

/** The room parts that HTTP calls and socket events work with. */
export interface Rooms {
  db: Db
  clock: Clock
  libraryRule: LibraryRule
  presence: Presence
  runtime: RoomRuntime
  changeLimit: RoomChangeLimit
  membership: Membership
  readiness: TrackReadiness
  views: RoomViews
  snapshots: RoomSnapshots
  doors: Doors
  chat: Chat
  reactions: Pick<Reactions, 'add'>
  votesToSkip: VotesToSkip
  syncReports: SyncReports
  playability: Playability
  /** Per user, shared by HTTP calls and socket events. */
  limiters: Limiters
}
