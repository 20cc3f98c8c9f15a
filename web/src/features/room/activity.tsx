import type { Activity } from '@earshot/core/protocol/activity'
import type { Message } from '@earshot/core/protocol/entities'
import { useEffect, useState } from 'react'
import { describeActivity } from '../../texts/people.ts'
import { useRoomState } from './use-room.ts'

/** The room's activity as quiet lines: among the messages of the chat, and the latest one on the stage (17.36). */

const shownMs = 6_000
/** Screen readers hear at most one line in this time. */
const announceEveryMs = 10_000

function useDescription(line: Activity | undefined): string | null {
  const userId = useRoomState((state) => state.userId)
  return line ? describeActivity(line, line.user?.id === userId) : null
}

/** Shows the latest line for some seconds, over whatever is below it but a video (17.393); takes no clicks. */
export function LatestActivity() {
  const userId = useRoomState((state) => state.userId)
  const latest = useRoomState((state) => state.activity.lines.findLast(({ user }) => user?.id !== userId))
  const isVideo = useRoomState((state) => state.heardTrack?.source === 'youtube')
  const text = useDescription(latest)
  const id = latest?.id
  const [fadedId, setFadedId] = useState(id)
  useEffect(() => {
    if (id === undefined) return
    const timer = setTimeout(() => setFadedId(id), shownMs)
    return () => clearTimeout(timer)
  }, [id])
  const isShown = text !== null && id !== fadedId
  return (
    <div className="pointer-events-none min-w-0">
      <p
        key={id}
        aria-hidden
        className={`w-fit max-w-full truncate rounded-full bg-page/70 px-3 py-1 text-xs text-ink transition-opacity duration-500 ${isVideo ? 'low:hidden' : ''} ${isShown ? 'animate-appear' : 'opacity-0'}`}
      >
        {text}
      </p>
      <Announcer text={isShown ? text : null} />
    </div>
  )
}

/** Announces a text politely, and those that follow within ten seconds only once these are over. */
export function Announcer({ text }: { text: string | null }) {
  const [announced, setAnnounced] = useState<{ text: string | null; atMs: number }>({
    text: null,
    atMs: -Infinity,
  })
  useEffect(() => {
    if (text === announced.text) return
    // Emptied at once, so that the same text is announced again.
    const waitMs = text === null ? 0 : Math.max(0, announced.atMs + announceEveryMs - performance.now())
    const set = () => setAnnounced({ text, atMs: text === null ? announced.atMs : performance.now() })
    const timer = setTimeout(set, waitMs)
    return () => clearTimeout(timer)
  }, [text, announced])
  return (
    <output aria-live="polite" className="sr-only">
      {announced.text}
    </output>
  )
}

/** A line among the messages of the chat. The stage announces it, so the chat's log does not. */
export function ActivityItem({ line }: { line: Activity }) {
  const text = useDescription(line)
  if (text === null) return null
  return (
    <li
      aria-live="off"
      className="line-clamp-2 pt-2 text-center text-xs wrap-anywhere text-ink-muted"
      title={text}
    >
      {text}
    </li>
  )
}

/**
 * Returns the lines to show before each message, by the message's id, and those after the last one. Messages are in the
 * order in which they were sent.
 */
export function placeActivity(
  messages: readonly Pick<Message, 'id' | 'created_at'>[],
  lines: readonly Activity[],
): { before: ReadonlyMap<string, readonly Activity[]>; after: readonly Activity[] } {
  const before = new Map<string, Activity[]>()
  const after: Activity[] = []
  for (const line of lines) {
    const next = messages.find(({ created_at }) => created_at > line.atMs)
    if (!next) after.push(line)
    else before.set(next.id, [...(before.get(next.id) ?? []), line])
  }
  return { before, after }
}
