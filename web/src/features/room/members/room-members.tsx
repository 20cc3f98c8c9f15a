import { limits } from '@earshot/core/limits'
import type { Member } from '@earshot/core/protocol/entities'
import { Users } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { callApiTwice } from '../../../api/call-api.ts'
import { syncPanel } from '../../../texts/now-playing.ts'
import { removal } from '../../../texts/moderation.ts'
import { people } from '../../../texts/people.ts'
import { members as texts } from '../../../texts/room.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { Confirmation, notifyFailure, useModeration } from '../moderation.tsx'
import { useRoomRuntime, useRoomState } from '../use-room.ts'
import { BanList } from './ban-list.tsx'
import { MemberItem } from './member-item.tsx'
import { useOpenItem } from './use-open-item.ts'

/** Lists the members who are online (2.24), with what the owner can do about each. */
export function RoomMembers({ className }: { className?: string }) {
  const memberCount = useRoomState((state) => state.memberCount)
  const isOwner = useRoomState((state) => state.isOwner)
  const { members, showMore, isLoading } = useAllMembers()
  const more = memberCount - members.length
  return (
    <Card title={texts.title} className={className} aside={<RoomSummary memberCount={memberCount} />}>
      {members.length === 0 ? (
        <EmptyState icon={Users} title={texts.none} className="py-4" />
      ) : (
        <MemberList members={members} />
      )}
      {more > 0 && members.length > 0 && (
        <Button size="sm" isBusy={isLoading} onClick={showMore} className="mt-3">
          {people.showMore(Math.min(more, limits.membersPageSize))}
        </Button>
      )}
      {isOwner && <BanList />}
    </Card>
  )
}

/** Shows the member count and the sync error of 95% of the room. */
function RoomSummary({ memberCount }: { memberCount: number }) {
  const { p95Ms } = useRoomState((state) => state.roomSync)
  return (
    <p className="text-end text-sm text-ink-muted tabular-nums">
      <span>{texts.online(memberCount)}</span>
      {p95Ms !== null && memberCount > 1 && <span> · {syncPanel.roomWithin(p95Ms)}</span>}
    </p>
  )
}

/** Returns the first page of members, which the server keeps up to date, and the later pages that were loaded. */
function useAllMembers() {
  const { roomId } = useRoomRuntime()
  const first = useRoomState((state) => state.members)
  const [loaded, setLoaded] = useState<readonly Member[]>([])
  const [isLoading, setLoading] = useState(false)
  const known = new Set(first.map(({ id }) => id))
  const members = [...first, ...loaded.filter(({ id }) => !known.has(id))]
  const showMore = () => {
    setLoading(true)
    callApiTwice('GET /api/rooms/:roomId/members', { params: { roomId }, query: { offset: members.length } })
      .then((page) => setLoaded((before) => [...before, ...page.members]))
      .catch(() => notify({ kind: 'error', title: removal.failedTitle, text: people.moreFailed }))
      .finally(() => setLoading(false))
  }
  return { members, showMore, isLoading }
}

/** Keeps the figures of listed members up to date, beyond those whose figures everybody gets, while the page is visible. */
function useListedSync(members: readonly Member[]) {
  const { actions } = useRoomRuntime()
  const isLong = members.length > limits.syncShownMembers
  const ids = useRef<string[]>([])
  useEffect(() => {
    ids.current = members.map(({ id }) => id)
  })
  useEffect(() => {
    if (!isLong) return
    const read = () => {
      // Without an answer the figures are those of five seconds ago.
      if (!document.hidden) actions.readMemberSync(ids.current).catch(() => undefined)
    }
    read()
    const timer = setInterval(read, limits.syncReportMs)
    return () => clearInterval(timer)
  }, [actions, isLong])
}

/** The dialogs are not in the items: a member may leave while they are open. */
function MemberList({ members }: { members: readonly Member[] }) {
  const { kick, ban } = useModeration()
  useListedSync(members)
  const list = useRef<HTMLUListElement>(null)
  const openStateOf = useOpenItem(list)
  const [toBan, setToBan] = useState<Member | null>(null)
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label={texts.title} className="flex flex-col outline-none">
        {members.map((member) => (
          <MemberItem
            key={member.id}
            member={member}
            openState={openStateOf(member.id)}
            onKick={() => void kick(member.id).catch(notifyFailure)}
            onBan={() => setToBan(member)}
          />
        ))}
      </ul>
      <Confirmation
        isOpen={toBan !== null}
        title={removal.banTitle(toBan?.username ?? '')}
        text={toBan?.is_guest ? removal.banGuestText : removal.banText}
        confirm={removal.confirmBan}
        onClose={() => setToBan(null)}
        onConfirm={async () => {
          if (toBan) await ban(toBan.id)
        }}
      />
    </>
  )
}
