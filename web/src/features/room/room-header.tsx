import { Crown, Keyboard, Lock, UserPlus } from 'lucide-react'
import { home } from '../../texts/home.ts'
import { invite as inviteTexts, keyboard, room as roomTexts } from '../../texts/room.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { HintedButton } from '../../ui/controls/hinted-button.tsx'
import { onDemand } from '../../ui/loading/on-demand.tsx'
import { Dialog } from '../../ui/popups/dialog.tsx'
import { PageTitle } from '../../ui/page/page-title.tsx'
import { DebugToggle, type DebugToolsState } from './debug-toggle.tsx'
import type { InviteProps } from './invite-link.tsx'
import { LoadingLink } from './loading-link.tsx'
import { MembersButton } from './members/members-button.tsx'
import { RoomSettings } from './settings/room-settings.tsx'
import { useRoomState } from './use-room.ts'
import { useTitlePrefix } from './use-title-prefix.ts'

const InviteLink = onDemand<InviteProps>(
  async () => (await import('./invite-link.tsx')).InviteLink,
  <LoadingLink />,
)

/** Whether the dialog is open, which others may open too. */
interface InviteState {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

interface RoomHeaderProps {
  debug: DebugToolsState
  onHelp: () => void
  invite: InviteState
  memberList: { isOpen: boolean; onOpenChange: (isOpen: boolean) => void }
}

// Where there is little height there is little width, too: the badges are small, and below the name.
const underName = 'low:h-4 low:bg-transparent low:px-0'

/** Shows the room's name, owner, privacy and members (2.22a). */
export function RoomHeader({ debug, onHelp, invite, memberList }: RoomHeaderProps) {
  const room = useRoomState((state) => state.room)
  const isOwner = useRoomState((state) => state.isOwner)
  if (!room) return null
  return (
    // On a phone in two rows: the name needs the first.
    <header className="flex min-w-0 items-center gap-x-3 gap-y-2 px-4 py-2 [grid-area:head] max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto_auto] sm:px-6 lg:max-xl:gap-x-2 low:relative low:h-11 low:gap-x-1 low:px-4 low:py-0 slim:gap-x-0">
      <RoomTitle name={room.name} />
      <h1 title={room.name} className="min-w-0 text-xl font-semibold tracking-tight low:-mt-4 slim:me-2">
        <span dir="auto" className="block truncate">
          {room.name}
        </span>
      </h1>
      <div className="flex min-w-0 grow items-center gap-2 max-sm:col-span-2 max-sm:row-start-2 sm:shrink-0 slim:gap-1">
        <span className="flex min-w-0 items-center gap-2 low:absolute low:start-4 low:bottom-1 slim:gap-1">
          <Badge
            tone={isOwner ? 'brand' : 'neutral'}
            title={isOwner ? roomTexts.ownerIsYou : room.owner.username}
            className={`max-w-40 min-w-0 lg:max-xl:max-w-24 low:max-w-20 ${underName}`}
          >
            <span className="sr-only">{roomTexts.owner}</span>
            <Crown aria-hidden className="shrink-0" />
            <span dir="auto" className="truncate">
              {isOwner ? roomTexts.ownerIsYou : room.owner.username}
            </span>
          </Badge>
          {!room.is_public && (
            <Badge title={home.privateRoom} className={underName}>
              <Lock aria-hidden />
              <span className="max-sm:sr-only lg:max-xl:sr-only low:sr-only">{home.privateRoom}</span>
            </Badge>
          )}
        </span>
        <span className="ms-auto shrink-0">
          <MembersButton {...memberList} />
        </span>
      </div>
      <span className="shrink-0 max-sm:col-span-2 max-sm:col-start-2 max-sm:row-start-1">
        <Invite room={room} isOwner={isOwner} {...invite} />
      </span>
      <div className="flex shrink-0 items-center max-sm:row-start-2">
        <RoomSettings room={room} />
        <HintedButton
          size="sm"
          label={keyboard.open}
          className="max-sm:hidden tight:pointer-coarse:hidden"
          onClick={onHelp}
        >
          <Keyboard aria-hidden />
        </HintedButton>
        <DebugToggle {...debug} />
      </div>
    </header>
  )
}

function RoomTitle({ name }: { name: string }) {
  useTitlePrefix()
  return <PageTitle name={name} />
}

/** Opens the dialog with the link to the room. */
function Invite({ isOpen, onOpenChange, ...props }: InviteProps & InviteState) {
  return (
    <>
      <Button size="sm" onClick={() => onOpenChange(true)}>
        <UserPlus aria-hidden className="size-4 tight:pointer-coarse:hidden" />
        <span className="tight:pointer-fine:sr-only">{inviteTexts.open}</span>
      </Button>
      <Dialog isOpen={isOpen} onClose={() => onOpenChange(false)} title={inviteTexts.title}>
        <InviteLink {...props} />
      </Dialog>
    </>
  )
}
