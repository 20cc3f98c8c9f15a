import type { Room, Source } from '@earshot/core/protocol/entities'
import { Globe, Lock, Users } from 'lucide-react'
import { memo } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '../../api/session.tsx'
import { unlockSound } from '../../engine/unlock-sound.ts'
import { authentication, common } from '../../texts/common.ts'
import { home } from '../../texts/home.ts'
import { Artwork } from '../../ui/music/artwork.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Equaliser } from '../../ui/music/equaliser.tsx'
import { formatAgo } from '../../ui/music/format-time.ts'
import { authenticationTopic, notify } from '../../ui/notices/notify.ts'
import { SourceBadge } from '../../ui/music/source-badge.tsx'
import { useNow } from '../../ui/page/use-now.ts'

interface RoomCardProps {
  room: Room
  /** The sources available on this server. */
  sources: readonly Source[]
}

/** Shows one room of the list (2.13). */
export const RoomCard = memo(function RoomCard({ room, sources }: RoomCardProps) {
  const joinRoom = useJoinRoom()
  const Privacy = room.is_public ? Globe : Lock
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its list is none: see `RoomCards`
      role="listitem"
      className="flex flex-col rounded-xl bg-surface p-5 ring-1 ring-line transition-shadow ring-inset hover:shadow-card hover:ring-edge"
    >
      <div className="flex items-start justify-between gap-3">
        <h3 className="min-w-0 text-lg font-semibold wrap-anywhere">
          <bdi>{room.name}</bdi>
        </h3>
        <span className="mt-1 shrink-0 text-ink-muted">
          <Privacy aria-hidden className="size-4.5" />
          <span className="sr-only">{room.is_public ? home.publicRoom : home.privateRoom}</span>
        </span>
      </div>
      <p className="mt-1 text-sm wrap-anywhere text-ink-muted">
        <bdi>{room.owner.username || common.unknownUser}</bdi> · <RelativeTime atMs={room.created_at} />
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
          <span>{home.listeners(room.listeners)}</span>
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
    </div>
  )
})

function RelativeTime({ atMs }: { atMs: number }) {
  return <time dateTime={new Date(atMs).toISOString()}>{formatAgo(atMs, useNow())}</time>
}

const artPx = 48

/** Shows the current track of a room, with an animation while it plays. */
function RoomNowPlaying({ room }: { room: Room }) {
  const track = room.currentTrack
  const isPlaying = room.is_playing && track !== null
  return (
    <div className="mt-4 flex items-center gap-3 rounded-md bg-page p-3">
      <Artwork url={track?.album_art ?? null} alt="" size={artPx} seed={track?.album ?? room.name} />
      <div className="min-w-0 flex-1 text-sm">
        {track ? (
          <>
            <p dir="auto" className="truncate font-medium">
              {track.title}
            </p>
            <p dir="auto" className="truncate text-ink-muted">
              {track.artist}
            </p>
          </>
        ) : (
          <p className="text-ink-muted">{isTrackHidden(room) ? home.hiddenTrack : home.nothingPlaying}</p>
        )}
      </div>
      {track && (
        <span className="flex items-center pe-1">
          <Equaliser isPlaying={isPlaying} className="size-5" />
          <span className="sr-only">{isPlaying ? home.playing : home.paused}</span>
        </span>
      )}
    </div>
  )
}

/** The server hides the track of a private room from users who are not members. */
function isTrackHidden(room: Room): boolean {
  return !room.is_public && room.current_track_id !== null
}

/** Returns a function that opens a room, through login without a session (2.16). */
function useJoinRoom(): (roomId: string) => void {
  const navigate = useNavigate()
  const { status } = useSession()
  return (roomId) => {
    const path = `/room/${roomId}`
    if (status !== 'signed_out') {
      unlockSound()
      return void navigate(path)
    }
    notify({
      kind: 'warning',
      topic: authenticationTopic,
      title: authentication.requiredWarning,
      text: authentication.joinNeedsLogin,
    })
    return void navigate('/login', { state: { from: path } })
  }
}
