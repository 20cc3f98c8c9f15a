import type { Message } from '@earshot/core/protocol/entities'
import { useSession } from '../../../api/session.tsx'
import { members } from '../../../texts/room.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { formatSentAt } from '../../../ui/format-time.ts'
import { DeleteMessage } from '../moderation.tsx'
import { useNow } from '../../../ui/use-now.ts'

const avatarPx = 32
const deleteLook =
  'absolute top-0 right-0 bg-surface opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-60'

export function MessageItem({ grouped: { message, isFirst } }: { grouped: GroupedMessage }) {
  const isViewer = useSession().user?.id === message.user_id
  const now = useNow()
  const content = <p className="text-sm wrap-anywhere whitespace-pre-wrap">{message.content}</p>
  const remove = <DeleteMessage message={message} className={deleteLook} />
  if (!isFirst) {
    return (
      <li className="group relative mt-0.5 pl-11">
        {content}
        {remove}
      </li>
    )
  }
  return (
    <li className="group relative mt-4 flex gap-3 first:mt-0">
      <Avatar name={message.username} url={message.avatar_url} size={avatarPx} />
      <div className="min-w-0">
        <p className="flex items-baseline gap-2 text-sm">
          <span className="truncate font-semibold">{isViewer ? members.you : message.username}</span>
          <time
            dateTime={new Date(message.created_at).toISOString()}
            className="shrink-0 text-xs text-ink-muted tabular-nums"
          >
            {formatSentAt(message.created_at, now)}
          </time>
        </p>
        {content}
      </div>
      {remove}
    </li>
  )
}

const groupWithinMs = 5 * 60_000

/** A message with its place in a group: the first of a group shows the sender and the time. */
interface GroupedMessage {
  message: Message
  isFirst: boolean
}

/** Groups messages, oldest first, that one sender wrote within five minutes of the previous message. */
export function groupMessages(messages: readonly Message[]): GroupedMessage[] {
  return messages.map((message, index) => {
    const previous = messages[index - 1]
    const continues =
      previous !== undefined &&
      previous.user_id === message.user_id &&
      message.created_at - previous.created_at < groupWithinMs
    return { message, isFirst: !continues }
  })
}
