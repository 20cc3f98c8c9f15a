import { Crown, Keyboard, Lock, Users } from 'lucide-react'
import { limits } from '@earshot/core/limits'
import { productName } from '../../texts/common.ts'
import { home } from '../../texts/home.ts'
import { keyboard, room as roomTexts } from '../../texts/room.ts'
import { Badge } from '../../ui/badge.tsx'
import { HintedButton } from '../../ui/hinted-button.tsx'
import { Invite } from './invite.tsx'
import { useRoomState } from './use-room.ts'

/** Shows the room's name, member count, owner and privacy (2.22a). */
export function RoomHeader({ onHelp }: { onHelp: () => void }) {
  const room = useRoomState((state) => state.room)
  const isOwner = useRoomState((state) => state.isOwner)
  const memberCount = useRoomState((state) => state.memberCount)
  if (!room) return null
  return (
    <header className="flex items-start justify-between gap-4">
      <Title name={room.name} />
      <div className="min-w-0">
        <h1 className="text-headline font-semibold tracking-tight wrap-anywhere">{room.name}</h1>
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <MemberCount count={memberCount} />
          <Badge tone={isOwner ? 'brand' : 'neutral'}>
            <span className="sr-only">{roomTexts.owner}</span>
            <Crown aria-hidden />
            {isOwner ? roomTexts.ownerIsYou : room.owner.username}
          </Badge>
          {!room.is_public && (
            <Badge>
              <Lock aria-hidden />
              {home.privateRoom}
            </Badge>
          )}
        </div>
      </div>
      <div className="flex">
        <Invite room={room} isOwner={isOwner} />
        <HintedButton label={keyboard.open} className="max-md:hidden" onClick={onHelp}>
          <Keyboard aria-hidden />
        </HintedButton>
      </div>
    </header>
  )
}

/** The document's title: while the room plays, it names the track first. */
function Title({ name }: { name: string }) {
  const playing = useRoomState((state) => (state.timeline.isPlaying ? (state.track?.title ?? null) : null))
  return <title>{[...(playing === null ? [] : [playing]), name, productName].join(' · ')}</title>
}

/** Shows the number of members; 0 means that it is unknown (9.26). */
export function MemberCount({ count }: { count: number }) {
  return (
    <Badge>
      <Users aria-hidden />
      {roomTexts.memberCount(count || limits.listenerCountRoomFallback)}
    </Badge>
  )
}
