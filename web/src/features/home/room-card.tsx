import type { Room, Source } from '@earshot/core/protocol/entities'
import { Globe, Lock, Users } from 'lucide-react'
import { common, home } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatAgo } from '../../ui/format-time.ts'
import { SourceBadge } from '../../ui/source-badge.tsx'
import { useNow } from '../../ui/use-now.ts'
import { RoomNowPlaying } from './room-now-playing.tsx'
import { useJoinRoom } from './use-join-room.ts'

interface RoomCardProps {
  room: Room
  /** What can be played on this server. */
  sources: readonly Source[]
}

/** One room of the list (2.13). */
export function RoomCard({ room, sources }: RoomCardProps) {
  const joinRoom = useJoinRoom()
  const Privacy = room.is_public ? Globe : Lock
  return (
    <li className="flex flex-col rounded-xl bg-surface p-5 ring-1 ring-line transition-shadow ring-inset hover:shadow-card hover:ring-edge">
      <div className="flex items-start justify-between gap-3">
        <h3 className="min-w-0 text-lg font-semibold break-words">{room.name}</h3>
        <span className="mt-1 shrink-0 text-ink-muted">
          <Privacy aria-hidden className="size-4.5" />
          <span className="sr-only">{room.is_public ? home.publicRoom : home.privateRoom}</span>
        </span>
      </div>
      <p className="mt-1 text-sm text-ink-muted">
        {room.owner.username || common.unknownUser} · <RelativeTime atMs={room.created_at} />
      </p>
      <RoomNowPlaying room={room} />
      <div className="mt-auto flex flex-wrap items-center gap-2 pt-4">
        {sources.map((source) => (
          <SourceBadge key={source} source={source} />
        ))}
      </div>
      <div className="mt-4 flex items-center justify-between gap-3">
        <span className="inline-flex items-center gap-2 text-sm text-ink-muted">
          <Users aria-hidden className="size-4.5" />
          {home.listeners(room.listeners)}
        </span>
        <Button
          tone="soft"
          size="sm"
          aria-label={home.joinRoomNamed(room.name)}
          onClick={() => joinRoom(room.id)}
        >
          {home.joinRoom}
        </Button>
      </div>
    </li>
  )
}

function RelativeTime({ atMs }: { atMs: number }) {
  return <time dateTime={new Date(atMs).toISOString()}>{formatAgo(atMs, useNow())}</time>
}
