import type { Message } from '@earshot/core/protocol/entities'
import { Clock, Trash2 } from 'lucide-react'
import { memo, useState, type ReactNode } from 'react'
import { useSession } from '../../../api/session.tsx'
import type { OutgoingMessage } from '../../../engine/chat/chat-state.ts'
import { chat as texts } from '../../../texts/chat.ts'
import { errorTexts } from '../../../texts/errors.ts'
import { removal } from '../../../texts/moderation.ts'
import { members } from '../../../texts/room.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { joinClasses } from '../../../ui/class-names.ts'
import { formatDay, formatTimeOfDay } from '../../../ui/music/format-time.ts'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { useNow } from '../../../ui/page/use-now.ts'
import { ActivityItem } from '../activity.tsx'
import { GuestLabel } from '../guest-label.tsx'
import { useMayDelete } from '../moderation.tsx'
import { useRoomActions, useRoomState } from '../use-room.ts'
import type { ChatItem } from './chat-items.ts'
import { splitLinks } from './links.ts'

const avatarPx = 32
const deleteLook =
  'absolute end-0 bg-surface opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-60'

interface ChatListItemProps {
  item: ChatItem
  /** Asks whether to delete a message. */
  onDelete: (messageId: string) => void
}

export function ChatListItem({ item, onDelete }: ChatListItemProps) {
  if (item.kind === 'day') return <DayLine atMs={item.atMs} />
  if (item.kind === 'activity') return <ActivityItem line={item.line} />
  if (item.kind === 'outgoing') return <OutgoingItem message={item.message} isFirst={item.isFirst} />
  return <MessageItem message={item.message} isFirst={item.isFirst} onDelete={onDelete} />
}

function DayLine({ atMs }: { atMs: number }) {
  const now = useNow()
  return (
    <li
      data-day
      className="my-3 flex items-center gap-3 text-xs text-ink-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line"
    >
      <time dateTime={new Date(atMs).toISOString()}>{formatDay(atMs, now)}</time>
    </li>
  )
}

interface MessageItemProps extends Pick<ChatListItemProps, 'onDelete'> {
  message: Message
  isFirst: boolean
}

const MessageItem = memo(function MessageItem({ message, isFirst, onDelete }: MessageItemProps) {
  const isViewer = useSession().user?.id === message.user_id
  // On a touch screen the button is always there, and as high as the message, so that it does not cover the next one.
  const height = isFirst ? 'pointer-coarse:min-h-15' : 'pointer-coarse:min-h-11'
  const mayDelete = useMayDelete(message)
  const { username, avatar_url: avatarUrl, is_guest: isGuest, created_at: atMs, content } = message
  return (
    <Line
      isFirst={isFirst}
      sender={{ name: username, avatarUrl, isGuest, isViewer }}
      atMs={atMs}
      className={mayDelete ? `pointer-coarse:pe-11 ${height}` : undefined}
    >
      <MessageText content={content} />
      {mayDelete && (
        <IconButton
          size="sm"
          label={removal.deleteMessage}
          className={`${deleteLook} ${isFirst ? 'top-4' : 'top-0'}`}
          onClick={() => onDelete(message.id)}
        >
          <Trash2 aria-hidden />
        </IconButton>
      )}
    </Line>
  )
})

/** A message of the viewer that the server has not acknowledged, with what can be done about it. */
const OutgoingItem = memo(function OutgoingItem({ message, isFirst }: OutgoingItemProps) {
  const name = useSession().user?.name ?? ''
  const avatarUrl = useRoomState((state) => state.members.find(({ id }) => id === state.userId)?.avatar_url)
  const isConnected = useRoomState((state) => state.connection === 'connected')
  const { retryMessage, discardMessage } = useRoomActions()
  const { id, content, failure, writtenAtMs } = message
  const discard = (
    <Button size="sm" tone="quiet" onClick={() => discardMessage(id)}>
      {texts.discard}
    </Button>
  )
  return (
    <Line
      isFirst={isFirst}
      sender={{ name, avatarUrl: avatarUrl ?? null, isViewer: true }}
      atMs={writtenAtMs}
    >
      <div className="text-ink-muted">
        <MessageText content={content} />
      </div>
      {failure !== null ? (
        <div className="flex flex-wrap items-center gap-x-1 text-xs">
          <p className="me-1 text-video">{`${texts.notSent} ${errorTexts[failure]}`}</p>
          <Button size="sm" tone="quiet" onClick={() => retryMessage(id)}>
            {texts.retry}
          </Button>
          {discard}
        </div>
      ) : isConnected ? (
        <p className="flex items-center gap-1.5 text-xs text-ink-muted">
          <Clock aria-hidden className="size-3" />
          {texts.sending}
        </p>
      ) : (
        <div className="flex flex-wrap items-center gap-x-2 text-xs text-ink-muted">
          <p>{texts.waitsForConnection}</p>
          {discard}
        </div>
      )}
    </Line>
  )
})

interface OutgoingItemProps {
  message: OutgoingMessage
  isFirst: boolean
}

interface LineProps {
  isFirst: boolean
  sender: { name: string; avatarUrl: string | null; isGuest?: boolean | undefined; isViewer: boolean }
  atMs: number
  className?: string | undefined
  children: ReactNode
}

function Line({
  isFirst,
  sender: { name, avatarUrl, isGuest, isViewer },
  atMs,
  className,
  children,
}: LineProps) {
  if (!isFirst) return <li className={joinClasses('group relative ps-11 pt-0.5', className)}>{children}</li>
  return (
    <li className={joinClasses('group relative flex gap-3 pt-4', className)}>
      <Avatar name={name} url={avatarUrl} size={avatarPx} />
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline gap-2 text-sm">
          <bdi className="truncate font-semibold">{isViewer ? members.you : name}</bdi>
          {isGuest && <GuestLabel />}
          <time
            dateTime={new Date(atMs).toISOString()}
            className="shrink-0 text-xs text-ink-muted tabular-nums"
          >
            {formatTimeOfDay(atMs)}
          </time>
        </p>
        {children}
      </div>
    </li>
  )
}

/** Lines of a message that are shown at first; more would let one message fill everybody's screen. */
const mostLines = 12

function MessageText({ content }: { content: string }) {
  const [isOpen, setOpen] = useState(false)
  const isLong = content.split('\n', mostLines + 1).length > mostLines
  return (
    <>
      <p
        dir="auto"
        className={`w-max max-w-full text-sm wrap-anywhere whitespace-pre-wrap ${isLong && !isOpen ? 'line-clamp-12' : ''}`}
      >
        {splitLinks(content).map((part, index) =>
          typeof part === 'string' ? part : <Link key={index} {...part} />,
        )}
      </p>
      {isLong && !isOpen && (
        <Button size="sm" tone="quiet" onClick={() => setOpen(true)}>
          {texts.showAll}
        </Button>
      )}
    </>
  )
}

function Link({ href, text }: { href: string; text: string }) {
  return (
    <a
      href={href}
      dir="ltr"
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-brand-text underline underline-offset-2"
    >
      {text}
    </a>
  )
}
