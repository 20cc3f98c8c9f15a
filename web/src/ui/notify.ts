import { limits } from '@earshot/core/limits'

export type NoticeKind = 'success' | 'info' | 'warning' | 'error'

export interface Notice {
  kind: NoticeKind
  title: string
  text?: string
  /** Notices of one topic take each other's place. */
  topic?: string
  /** How long it stays, in ms: kept within 2 to 10 s. */
  durationMs?: number
}

/** A notice as it is shown; the same words, or the same topic, have the same id. */
export interface PostedNotice extends Notice {
  id: string
  durationMs: number
}

const defaultDurationMs: Record<NoticeKind, number> = {
  success: 3_000,
  info: 4_000,
  warning: 6_000,
  error: 7_000,
}

let waiting: PostedNotice[] = []
let deliver: ((notice: PostedNotice) => void) | null = null
const listeners = new Set<() => void>()

/** Shows a notice at the top right. One that is showing already is not shown twice: it stays a little longer. */
export function notify(notice: Notice): void {
  const { kind, title, text, topic, durationMs = defaultDurationMs[kind] } = notice
  const kept = Math.min(limits.noticeMaxMs, Math.max(limits.noticeMinMs, durationMs))
  const posted = { ...notice, id: topic ?? [kind, title, text].join('\n'), durationMs: kept }
  if (deliver) return deliver(posted)
  waiting = [...waiting, posted]
  for (const listener of listeners) listener()
}

/** Gives every notice to `show`, those that waited for it first, until the returned function is called. */
export function deliverNotices(show: (notice: PostedNotice) => void): () => void {
  deliver = show
  for (const notice of waiting) show(notice)
  waiting = []
  return () => {
    deliver = null
  }
}

/** Calls back when a notice waits for somebody to show it. */
export function subscribeToWaiting(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function hasWaiting(): boolean {
  return waiting.length > 0
}
