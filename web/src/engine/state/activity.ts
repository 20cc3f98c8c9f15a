import { limits } from '@earshot/core/limits'
import type { Activity } from '@earshot/core/protocol/activity'

/** The room's activity since this page joined it, oldest first; not kept over a reload. */
export interface ActivityFeed {
  lines: readonly Activity[]
  /** When this page joined, ms of the server's clock; null before. */
  joinedAtMs: number | null
}

export const emptyFeed: ActivityFeed = { lines: [], joinedAtMs: null }

/** Adds a line, once. Leaves out the viewer's own coming and going, and those who came before the viewer. */
export function applyActivity<State extends { userId: string; activity: ActivityFeed }>(
  state: State,
  received: Activity,
): State {
  const { lines, joinedAtMs } = state.activity
  const line = afterViewer(received, state.userId)
  const isPresence = line.kind === 'joined' || line.kind === 'left'
  const isOwn = isPresence && line.user?.id === state.userId && line.count === undefined
  // A line that covers the viewer's join began before its answer.
  const isEarlier =
    line === received && line.kind === 'joined' && joinedAtMs !== null && line.atMs <= joinedAtMs
  if (isOwn || isEarlier || lines.some(({ id }) => id === line.id)) return state
  const kept = [...lines, line].slice(-limits.activityShown)
  return { ...state, activity: { lines: kept, joinedAtMs } }
}

/** Leaves those who joined after the viewer in a line that covers both. The line itself where nobody did. */
function afterViewer(line: Activity, viewerId: string): Activity {
  const { users = [], count = 1, ...rest } = line
  const viewer = users.findIndex(({ id }) => id === viewerId)
  const [user, ...others] = users.slice(viewer + 1)
  if (viewer === -1 || !user) return line
  const left = count - viewer - 1
  return { ...rest, user, ...(left > 1 ? { count: left, users: [user, ...others] } : {}) }
}
