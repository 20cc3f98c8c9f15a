import { limits } from '@earshot/core/limits'

export type NoticeKind = 'success' | 'info' | 'warning' | 'error'

export interface Notice {
  kind: NoticeKind
  title: string
  text?: string
  /** A notice replaces an earlier one of the same topic. */
  topic?: string
  /** A button that undoes or answers what the notice says; pressing it closes the notice. */
  action?: { label: string; run: () => void }
  /** Called once it is closed, by whomever or whatever; a notice of the same topic that replaces it has its own. */
  onClose?: () => void
  /** How long it is shown, in ms, clamped to 2 to 10 s. */
  durationMs?: number
}

/** A notice with its defaults; the same text or topic has the same id. */
export interface PostedNotice extends Notice {
  id: string
  durationMs: number
}

/** Shows the notices. */
interface NoticeView {
  show(notice: PostedNotice): void
  close(id: string): void
}

/** That one has to sign in, and that one has: the second replaces the first. */
export const authenticationTopic = 'authentication'

const defaultDurationMs: Record<NoticeKind, number> = {
  success: 3_000,
  info: 4_000,
  warning: 6_000,
  error: 7_000,
}

let queued: PostedNotice[] = []
let view: NoticeView | null = null
const listeners = new Set<() => void>()

/** Shows a notice. One that is already shown is extended instead of shown twice. */
export function notify(notice: Notice): void {
  const { kind, title, text, topic, durationMs = defaultDurationMs[kind] } = notice
  const clamped = Math.min(limits.noticeMaxMs, Math.max(limits.noticeMinMs, durationMs))
  const posted = { ...notice, id: topic ?? [kind, title, text].join('\n'), durationMs: clamped }
  if (view) return view.show(posted)
  queued = [...queued, posted]
  for (const listener of listeners) listener()
}

/** Closes the notice of a topic, because it no longer holds. */
export function withdrawNotice(topic: string): void {
  queued = queued.filter(({ id }) => id !== topic)
  view?.close(topic)
}

/** Passes every notice to `next`, queued ones first, until the returned function is called. */
export function deliverNotices(next: NoticeView): () => void {
  view = next
  for (const notice of queued) next.show(notice)
  queued = []
  return () => {
    view = null
  }
}

/** Subscribes to notices queued while nothing shows them. */
export function subscribeToQueued(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function hasQueuedNotices(): boolean {
  return queued.length > 0
}
