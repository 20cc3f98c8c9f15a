import { limits } from '@earshot/core/limits'
import type { Member } from '@earshot/core/protocol/entities'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { callApi } from '../../../api/call-api.ts'
import { syncPanel } from '../../../texts/now-playing.ts'
import { removal } from '../../../texts/moderation.ts'
import { people } from '../../../texts/people.ts'
import { members as texts } from '../../../texts/room.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { notify } from '../../../ui/notices/notify.ts'
import { notifyFailure, useModeration } from '../moderation.tsx'
import { useListFocus } from '../use-list-focus.ts'
import { useRoomVisit, useRoomState } from '../use-room.ts'
import { BanDialog } from './ban-dialog.tsx'
import { BanList } from './ban-list.tsx'
import { MemberItem } from './member-item.tsx'

/** Lists the members who are online (2.24), with what the owner can do about each. */
export function RoomMembers({ className }: { className?: string }) {
  const memberCount = useRoomState((state) => state.memberCount)
  const isOwner = useRoomState((state) => state.isOwner)
  const { members, showMore, isLoading } = useAllMembers(memberCount)
  const more = memberCount - members.length
  return (
    <Card title={texts.title} className={className} aside={<RoomSummary memberCount={memberCount} />}>
      {members.length === 0 ? (
        <EmptyState icon={Users} title={texts.none} className="py-4" />
      ) : (
        <MemberList members={members} />
      )}
      {more > 0 && members.length > 0 && (
        <Button size="sm" isBusy={isLoading} onClick={() => void showMore()} className="mt-3">
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
      {p95Ms !== null && memberCount > 1 && <span>{` · ${syncPanel.roomWithin(p95Ms)}`}</span>}
    </p>
  )
}

/** The members after the first page. */
const laterMembersQuery = (roomId: string) =>
  infiniteQueryOptions({
    queryKey: ['members', roomId],
    queryFn: ({ pageParam: offset, signal }) =>
      callApi('GET /api/rooms/:roomId/members', { params: { roomId }, query: { offset } }, { signal }),
    initialPageParam: limits.membersPageSize as number,
    getNextPageParam: ({ members }, _pages, offset) => offset + members.length,
    // Only when it is asked for, and no longer than the list is open.
    enabled: false,
    gcTime: 0,
  })

/** How long a list whose members came and went stays as it is. */
const rereadAfterMs = 2_000

/** Returns the first page of members, which the server keeps up to date, and the later pages, read again after changes. */
function useAllMembers(memberCount: number) {
  const { roomId } = useRoomVisit()
  const first = useRoomState((state) => state.members)
  const { data, refetch, fetchNextPage, isFetchingNextPage, isFetching } = useInfiniteQuery(
    laterMembersQuery(roomId),
  )
  // The count of an answer may differ for long: a large room's own is held back.
  const [readCount, setReadCount] = useState(memberCount)
  const reread = useEffectEvent(() => {
    setReadCount(memberCount)
    if (data) void refetch()
  })
  const isStale = readCount !== memberCount
  useEffect(() => {
    if (!isStale) return
    const timer = setTimeout(() => reread(), rereadAfterMs)
    return () => clearTimeout(timer)
  }, [isStale])
  const members = useMemo(() => {
    const later = data?.pages.flatMap((page) => page.members) ?? []
    // The first page sets the order, and is last because its data are the newest.
    return [...new Map([...first, ...later, ...first].map((member) => [member.id, member])).values()]
  }, [first, data])
  const showMore = async () => {
    const { isError } = await (data ? fetchNextPage() : refetch())
    if (isError) notify({ kind: 'error', title: removal.failedTitle, text: people.moreFailed })
  }
  return { members, showMore, isLoading: isFetchingNextPage || (isFetching && !data) }
}

/** Keeps the figures of listed members up to date, beyond those whose figures everybody gets, while the page is visible. */
function useListedSync(members: readonly Member[]) {
  const { actions } = useRoomVisit()
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
  const { kick } = useModeration()
  useListedSync(members)
  const list = useRef<HTMLUListElement>(null)
  const ids = useMemo(() => members.map(({ id }) => id), [members])
  const keepFocus = useListFocus(list, ids)
  const [toBan, setToBan] = useState<Member | null>(null)
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label={texts.title} className="flex flex-col outline-none">
        {members.map((member, index) => (
          <MemberItem
            key={member.id}
            member={member}
            item={keepFocus(member.id, index)}
            onKick={() => void kick(member.id).catch(notifyFailure)}
            onBan={() => setToBan(member)}
          />
        ))}
      </ul>
      <BanDialog member={toBan} onClose={() => setToBan(null)} />
    </>
  )
}
