import type { Member } from '@earshot/core/protocol/entities'
import { Crown, Users } from 'lucide-react'
import { useSession } from '../../../api/session.tsx'
import { syncPanel } from '../../../texts/now-playing.ts'
import { members as texts } from '../../../texts/room.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { describeSync } from '../describe-sync.ts'
import { useRoomState } from '../use-room.ts'

const avatarPx = 40 // 2.24

/** Lists the members who are online (2.24). */
export function RoomMembers({ className }: { className?: string }) {
  const members = useRoomState((state) => state.members)
  const memberCount = useRoomState((state) => state.memberCount)
  const more = memberCount - members.length
  return (
    <Card title={texts.title} className={className} aside={<RoomSummary memberCount={memberCount} />}>
      {members.length === 0 ? (
        <EmptyState icon={Users} title={texts.none} className="py-4" />
      ) : (
        <ul className="flex flex-wrap gap-x-6 gap-y-4">
          {members.map((member) => (
            <MemberItem key={member.id} member={member} />
          ))}
          {more > 0 && <li className="self-center text-sm text-ink-muted">{texts.more(more)}</li>}
        </ul>
      )}
    </Card>
  )
}

/** Shows the member count and the sync error of 95% of the room. */
function RoomSummary({ memberCount }: { memberCount: number }) {
  const { p95Ms } = useRoomState((state) => state.roomSync)
  return (
    <p className="text-right text-sm text-ink-muted tabular-nums">
      <span>{texts.online(memberCount)}</span>
      {p95Ms !== null && <span> · {syncPanel.roomWithin(p95Ms)}</span>}
    </p>
  )
}

function MemberItem({ member }: { member: Member }) {
  const isViewer = useSession().user?.id === member.id
  const report = useRoomState((state) => state.memberSync[member.id])
  return (
    <li className="flex min-w-0 items-center gap-3">
      <Avatar
        name={member.username}
        url={member.avatar_url}
        size={avatarPx}
        isHighlighted={member.is_owner}
      />
      <div className="min-w-0">
        <p className="flex items-center gap-1.5 text-sm font-medium">
          <span className="truncate">{member.username}</span>
          {isViewer && <span className="font-normal text-ink-muted">({texts.you})</span>}
          {member.is_owner && (
            <>
              <Crown aria-hidden className="size-3.5 shrink-0 text-brand-text" />
              <span className="sr-only">{texts.owner}</span>
            </>
          )}
        </p>
        {report && <p className="text-xs text-ink-muted tabular-nums">{describeSync(report)}</p>}
      </div>
    </li>
  )
}
