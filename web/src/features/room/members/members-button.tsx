import { limits } from '@earshot/core/limits'
import { Users } from 'lucide-react'
import { members as memberTexts, room as roomTexts } from '../../../texts/room.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { onDemand } from '../../../ui/loading/on-demand.tsx'
import { Popover } from '../../../ui/popups/popover.tsx'
import { Skeleton } from '../../../ui/loading/skeleton.tsx'
import { useRoomState } from '../use-room.ts'

const RoomMembers = onDemand<{ className?: string }>(
  async () => (await import('./room-members.tsx')).RoomMembers,
  <Skeleton className="mt-5 h-40 w-full" />,
)

const facesShown = 8
const facePx = 26

interface MembersButtonProps {
  /** Set by a parent that also opens the list from elsewhere, such as from the ring round the cover. */
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
}

/** Shows the first members' faces and the number of all; opens the list (2.24). */
export function MembersButton({ isOpen, onOpenChange }: MembersButtonProps) {
  const memberCount = useRoomState((state) => state.memberCount)
  return (
    <Popover
      title={memberTexts.title}
      isTitleHidden
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      trigger={
        <button
          type="button"
          className="flex h-9 items-center gap-2 rounded-full px-2 text-sm text-ink-muted transition-colors hover:bg-raised hover:text-ink pointer-coarse:h-11 slim:px-1"
        >
          {/* The room's name comes first. */}
          <MemberFaces className="max-xl:hidden low:hidden" />
          <span className="tight:sr-only">
            <MemberCount count={memberCount} />
          </span>
          <span aria-hidden className="hidden items-center gap-1.5 tabular-nums tight:flex">
            <Users className="size-4" />
            <span>{memberCount}</span>
          </span>
        </button>
      }
    >
      <RoomMembers className="-m-5 rounded-none ring-0!" />
    </Popover>
  )
}

/** Shows the faces of the first members; the number of all stands beside them. */
export function MemberFaces({ className = '' }: { className?: string }) {
  const members = useRoomState((state) => state.members)
  return (
    <span aria-hidden className={`flex items-center -space-x-1.5 ${className}`}>
      {members.slice(0, facesShown).map((member) => (
        <span key={member.id} className="rounded-full ring-2 ring-page">
          <Avatar name={member.username} url={member.avatar_url} size={facePx} />
        </span>
      ))}
    </span>
  )
}

/** Shows the number of members; 0 means that it is unknown (9.26). */
export function MemberCount({ count }: { count: number }) {
  return (
    <span className="whitespace-nowrap">
      {roomTexts.memberCount(count || limits.listenerCountRoomFallback)}
    </span>
  )
}
