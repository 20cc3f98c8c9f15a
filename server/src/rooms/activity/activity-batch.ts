import type { ActivityKind } from '@earshot/core/protocol/activity'
import { serverLimits } from '../../server-limits.ts'

/** Something that happened in a room. */
export interface Happening {
  kind: ActivityKind
  /** Null for the server. */
  userId: string | null
  /** Of the first track. */
  title?: string | undefined
  /** How many tracks. */
  count?: number
}

/**
 * An activity that is sent as one line. For those who joined or left, `userId` is the first of `count` users;
 * `userIds` are the first of those who joined, in the order in which they did.
 */
export interface ActivityLine extends Happening {
  atMs: number
  count: number
  userIds?: string[]
}

/**
 * Collects what happens in one room, and merges it into few lines: one for all who joined, one for all who left, and one
 * for the tracks that a user added, removed or skipped. A user who leaves and comes back, or the reverse, while this is
 * collected leaves no line. Lines are limited per user and per room; what is beyond the limits waits and is merged, so a
 * user who repeats something all the time costs a bounded number of lines. Times in ms of the server's clock.
 */
export interface ActivityBatch {
  record(happening: Happening, nowMs: number): void
  /** Drops the departure of a user who is back. */
  cancelLeft(userId: string): void
  /** Takes the lines to send now. What remains waits for the limits. */
  take(nowMs: number): ActivityLine[]
  /** Whether there is something to take. */
  isWaiting(): boolean
  /** Whether nothing waits and no earlier line counts against a limit. */
  isIdle(nowMs: number): boolean
}

const opposites: Partial<Record<ActivityKind, ActivityKind>> = { joined: 'left', left: 'joined' }

export function createActivityBatch(): ActivityBatch {
  const waiting = new Map<string, ActivityLine>()
  const roomLines = createLineLimit(serverLimits.activityPerRoom)
  const userLines = createLineLimit(serverLimits.activityPerMember)
  const room = ''

  const mayShow = ({ userId }: Happening, nowMs: number): boolean =>
    roomLines.hasLeft(room, nowMs) && (userId === null || userLines.hasLeft(userId, nowMs))

  const takeMerged = (lines: ActivityLine[], nowMs: number): ActivityLine[] => {
    const [first] = lines
    if (!first) return []
    roomLines.add(room, nowMs)
    for (const line of lines) {
      waiting.delete(keyOf(line))
      if (line.userId !== null) userLines.add(line.userId, nowMs)
    }
    if (!isPresence(first)) return [first]
    const userIds = lines.slice(0, serverLimits.activityNamed).flatMap(({ userId }) => userId ?? [])
    return [{ ...first, count: lines.length, ...(first.kind === 'joined' ? { userIds } : {}) }]
  }

  return {
    record(happening, nowMs) {
      const { kind, userId, count = 1 } = happening
      const opposite = opposites[kind]
      if (opposite && waiting.delete(keyOf({ kind: opposite, userId }))) return
      // A removed user also leaves.
      if (kind === 'kicked' || kind === 'banned') waiting.delete(keyOf({ kind: 'left', userId }))
      const known = waiting.get(keyOf(happening))
      if (known) known.count += isPresence(happening) ? 0 : count
      else if (waiting.size < serverLimits.activityWaitingMax) {
        waiting.set(keyOf(happening), { ...happening, count, atMs: nowMs })
      }
    },
    cancelLeft: (userId) => void waiting.delete(keyOf({ kind: 'left', userId })),
    take(nowMs) {
      userLines.prune(nowMs)
      const lines = [...waiting.values()]
      const merged = (['joined', 'left'] as const).flatMap((kind) =>
        takeMerged(
          lines.filter((line) => line.kind === kind && mayShow(line, nowMs)),
          nowMs,
        ),
      )
      const single = lines.filter((line) => !isPresence(line))
      return [...merged, ...single.flatMap((line) => (mayShow(line, nowMs) ? takeMerged([line], nowMs) : []))]
    },
    isWaiting: () => waiting.size > 0,
    isIdle: (nowMs) => waiting.size === 0 && roomLines.isUnused(nowMs),
  }
}

const isPresence = ({ kind }: Pick<Happening, 'kind'>): boolean => kind === 'joined' || kind === 'left'

const keyOf = ({ kind, userId }: Pick<Happening, 'kind' | 'userId'>): string => `${kind} ${userId ?? ''}`

/** Counts lines per key in a sliding window. */
function createLineLimit({ lines, perMs }: { lines: number; perMs: number }) {
  const sentAtMs = new Map<string, number[]>()
  const recent = (key: string, nowMs: number): number[] =>
    (sentAtMs.get(key) ?? []).filter((atMs) => nowMs - atMs < perMs)
  /** Forgets users of whom no line counts any more. */
  const prune = (nowMs: number): void => {
    for (const key of sentAtMs.keys()) if (recent(key, nowMs).length === 0) sentAtMs.delete(key)
  }

  return {
    hasLeft: (key: string, nowMs: number): boolean => recent(key, nowMs).length < lines,
    add: (key: string, nowMs: number): void => void sentAtMs.set(key, [...recent(key, nowMs), nowMs]),
    prune,
    isUnused(nowMs: number): boolean {
      prune(nowMs)
      return sentAtMs.size === 0
    },
  }
}
