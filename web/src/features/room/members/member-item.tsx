import type { Member } from '@earshot/core/protocol/entities'
import { Ban, EllipsisVertical, UserMinus } from 'lucide-react'
import { removal } from '../../../texts/moderation.ts'
import { people } from '../../../texts/people.ts'
import { members as texts } from '../../../texts/room.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { Menu } from '../../../ui/popups/menu.tsx'
import { describeMemberSync } from '../describe-sync.ts'
import type { ListFocus } from '../use-list-focus.ts'
import { useRoomState } from '../use-room.ts'
import { MemberRole } from './member-role.tsx'

const avatarPx = 40 // 2.24

interface MemberItemProps extends MemberMenuProps {
  member: Member
  item: ReturnType<ListFocus>
}

/** One member with their role and how well they are in sync; with a menu for the owner. */
export function MemberItem({ member, item, ...menu }: MemberItemProps) {
  const isViewer = useRoomState((state) => state.userId === member.id)
  const isOwner = useRoomState((state) => state.isOwner)
  const report = useRoomState((state) => state.memberSync[member.id])
  const isConnected = useRoomState((state) => state.connection === 'connected')
  return (
    <li {...item} className="flex min-w-0 items-center gap-3 py-1.5">
      <Avatar
        name={member.username}
        url={member.avatar_url}
        size={avatarPx}
        isHighlighted={member.is_owner}
      />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-1.5 text-sm font-medium">
          <span dir="auto" title={member.username} className="truncate">
            {member.username}
          </span>
          {isViewer && <span className="font-normal text-ink-muted">({texts.you})</span>}
          <MemberRole member={member} />
        </p>
        <p dir="auto" className="truncate text-xs text-ink-muted tabular-nums">
          {describeMemberSync(report, isConnected)}
        </p>
      </div>
      {isOwner && !isViewer && !member.is_owner && <MemberMenu name={member.username} {...menu} />}
    </li>
  )
}

interface MemberMenuProps {
  onKick: () => void
  onBan: () => void
}

function MemberMenu({ name, onKick, onBan }: MemberMenuProps & { name: string }) {
  return (
    <Menu
      trigger={
        <IconButton size="sm" label={people.actionsFor(name)}>
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
      choices={[
        { icon: UserMinus, text: removal.kick, onChoose: onKick },
        { icon: Ban, text: removal.ban, onChoose: onBan },
      ]}
    />
  )
}
