import { limits } from '@earshot/core/limits'
import type { ErrorCode } from '@earshot/core/protocol/errors'
import type { ImportResult } from '@earshot/core/protocol/providers'

/** How an import of many tracks proceeds, in parts, as pure functions. */

/** The tracks of one call. */
export interface ImportPart {
  /** The same for every attempt, by which the server recognises a repetition. */
  importId: string
  trackIds: readonly string[]
}

export interface ImportProgress {
  /** Not answered yet, in order. */
  parts: readonly ImportPart[]
  /** The outcome of each answered track. */
  outcomes: Readonly<Record<string, ImportResult['status']>>
  isRunning: boolean
  /** The user stopped it: the part under way is the last. */
  isCancelled: boolean
  /** Why the last run ended early. */
  error: ErrorCode | null
}

export const emptyImport: ImportProgress = {
  parts: [],
  outcomes: {},
  isRunning: false,
  isCancelled: false,
  error: null,
}

export function isInQueue(outcome: ImportResult['status'] | undefined): boolean {
  return outcome === 'added' || outcome === 'already_added'
}

/** Appends parts for the tracks that are neither in the queue nor planned; each track once. */
export function planImport(
  progress: ImportProgress,
  trackIds: readonly string[],
  createId: () => string,
): ImportProgress {
  const planned = new Set(progress.parts.flatMap((part) => part.trackIds))
  const wanted = [...new Set(trackIds)].filter((id) => !planned.has(id) && !isInQueue(progress.outcomes[id]))
  const size = limits.importBatchSize
  const parts = Array.from({ length: Math.ceil(wanted.length / size) }, (_none, index) => ({
    importId: createId(),
    trackIds: wanted.slice(index * size, (index + 1) * size),
  }))
  return { ...progress, parts: [...progress.parts, ...parts] }
}

/** Whether the queue may have room for a track later. */
function isRetryable(outcome: ImportResult['status'] | undefined): boolean {
  return outcome === 'queue_full' || outcome === 'too_many_waiting'
}

/** Plans what found no room in the queue once more, as new parts: the answer to the old ones is known. */
export function planRetry(progress: ImportProgress, createId: () => string): ImportProgress {
  const refused = Object.keys(progress.outcomes).filter((id) => isRetryable(progress.outcomes[id]))
  return planImport(progress, refused, createId)
}

/** Returns the part to send next; null if there is none or the import was cancelled. */
export function nextPart({ parts, isCancelled }: ImportProgress): ImportPart | null {
  return isCancelled ? null : (parts[0] ?? null)
}

/** Stores the answer to a part. A track without an answer of its own counts as not found. */
export function settlePart(
  progress: ImportProgress,
  importId: string,
  results: readonly ImportResult[],
): ImportProgress {
  const settled = progress.parts.find((part) => part.importId === importId)
  if (!settled) return progress
  const answered = new Map(results.map((result) => [result.trackId, result.status]))
  const outcomes = settled.trackIds.map((id) => [id, answered.get(id) ?? 'not_found'] as const)
  return {
    ...progress,
    parts: progress.parts.filter((part) => part !== settled),
    outcomes: { ...progress.outcomes, ...Object.fromEntries(outcomes) },
  }
}

/**
 * Counts the tracks of an import. `waiting`: without an answer; `refused`: answered, and not in the queue.
 * `isLimitReached`: the user may have no more waiting.
 */
export function countImport({ parts, outcomes }: ImportProgress) {
  const statuses = Object.values(outcomes)
  const waiting = parts.reduce((sum, part) => sum + part.trackIds.length, 0)
  const inQueue = statuses.filter(isInQueue).length
  const retryable = waiting + statuses.filter(isRetryable).length
  const total = waiting + statuses.length
  const isQueueFull = statuses.includes('queue_full')
  const isLimitReached = statuses.includes('too_many_waiting')
  return {
    total,
    waiting,
    inQueue,
    refused: statuses.length - inQueue,
    retryable,
    isQueueFull,
    isLimitReached,
  }
}
