import { Crown, Keyboard, Lock } from 'lucide-react'
import { productName } from '../../texts/common.ts'
import { home } from '../../texts/home.ts'
import { keyboard, room as roomTexts } from '../../texts/room.ts'
import { Badge } from '../../ui/badge.tsx'
import { HintedButton } from '../../ui/hinted-button.tsx'
import { DebugToggle, type DebugToolsState } from './debug-toggle.tsx'
import { Invite, type InviteState } from './invite.tsx'
import { MembersButton } from './members/members-button.tsx'
import { RoomSettings } from './settings/room-settings.tsx'
import { useRoomState } from './use-room.ts'

interface RoomHeaderProps {
  debug: DebugToolsState
  unreadMessages: number
  onHelp: () => void
  invite: InviteState
  memberList: { isOpen: boolean; onOpenChange: (isOpen: boolean) => void }
}

/** Shows the room's name, owner, privacy and members (2.22a). */
export function RoomHeader({ debug, unreadMessages, onHelp, invite, memberList }: RoomHeaderProps) {
  const room = useRoomState((state) => state.room)
  const isOwner = useRoomState((state) => state.isOwner)
  if (!room) return null
  return (
    // On a phone in two rows: the name needs the first.
    <header className="flex min-w-0 items-center gap-x-3 gap-y-2 px-4 py-2 [grid-area:head] max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto_auto] sm:px-6 low:h-11 low:gap-x-1 low:px-4 low:py-0 slim:gap-x-0">
      <DocumentTitle name={room.name} unreadMessages={unreadMessages} />
      <h1 title={room.name} className="min-w-0 text-xl font-semibold tracking-tight slim:me-2">
        <span dir="auto" className="block truncate">
          {room.name}
        </span>
      </h1>
      <div className="flex min-w-0 grow items-center gap-2 max-sm:col-span-2 max-sm:row-start-2 sm:shrink-0 slim:gap-1">
        <Badge tone={isOwner ? 'brand' : 'neutral'} className="max-w-40 min-w-0 low:hidden">
          <span className="sr-only">{roomTexts.owner}</span>
          <Crown aria-hidden className="shrink-0" />
          <span dir="auto" className="truncate">
            {isOwner ? roomTexts.ownerIsYou : room.owner.username}
          </span>
        </Badge>
        {!room.is_public && (
          <Badge className="low:hidden">
            <Lock aria-hidden />
            <span className="max-sm:sr-only">{home.privateRoom}</span>
          </Badge>
        )}
        <span className="ms-auto shrink-0">
          <MembersButton {...memberList} />
        </span>
      </div>
      <span className="shrink-0 max-sm:col-span-2 max-sm:col-start-2 max-sm:row-start-1">
        <Invite room={room} isOwner={isOwner} {...invite} />
      </span>
      <div className="flex shrink-0 items-center max-sm:row-start-2">
        {isOwner && <RoomSettings room={room} />}
        <HintedButton size="sm" label={keyboard.open} className="max-sm:hidden tight:hidden" onClick={onHelp}>
          <Keyboard aria-hidden />
        </HintedButton>
        <DebugToggle {...debug} />
      </div>
    </header>
  )
}

interface DocumentTitleProps {
  name: string
  unreadMessages: number
}

/** The document's title: the number of unread messages and, while the room plays, the track before its name. */
function DocumentTitle({ name, unreadMessages }: DocumentTitleProps) {
  const track = useRoomState((state) => (state.timeline.isPlaying ? state.track : null))
  const playing = track && [track.title, track.artist].filter(Boolean).join(' - ')
  const unread = unreadMessages > 0 ? `(${unreadMessages}) ` : ''
  return <title>{unread + [playing, name, productName].filter(Boolean).join(' · ')}</title>
}
