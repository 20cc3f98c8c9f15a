import { useSession } from '../../../api/session.tsx'
import { members } from '../../../texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { formatSaidAt } from '../../../ui/format-time.ts'
import { useNow } from '../../../ui/use-now.ts'
import type { DrawnMessage } from './message-groups.ts'

const avatarPx = 32

export function MessageItem({ drawn: { message, opens } }: { drawn: DrawnMessage }) {
  const isViewer = useSession().user?.id === message.user_id
  const now = useNow()
  const content = <p className="text-sm break-words whitespace-pre-wrap">{message.content}</p>
  if (!opens) return <li className="mt-0.5 pl-11">{content}</li>
  return (
    <li className="mt-4 flex gap-3 first:mt-0">
      <Avatar name={message.username} url={message.avatar_url} size={avatarPx} />
      <div className="min-w-0">
        <p className="flex items-baseline gap-2 text-sm">
          <span className="truncate font-semibold">{isViewer ? members.you : message.username}</span>
          <time
            dateTime={new Date(message.created_at).toISOString()}
            className="shrink-0 text-xs text-ink-muted tabular-nums"
          >
            {formatSaidAt(message.created_at, now)}
          </time>
        </p>
        {content}
      </div>
    </li>
  )
}
