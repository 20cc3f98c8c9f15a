import { limits } from '@earshot/core/limits'
import type { Member } from '@earshot/core/protocol/entities'
import type { ListenerSync } from '@earshot/core/protocol/sync-report'
import { UserPlus } from 'lucide-react'
import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from 'react'
import { people } from '../../../texts/people.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { Popover } from '../../../ui/popups/popover.tsx'
import { describeMemberSync } from '../describe-sync.ts'
import { DiagnoseButton } from '../diagnose-button.tsx'
import { type ListFocus, useListFocus } from '../use-list-focus.ts'
import { useLostConnection } from '../use-lost-connection.ts'
import { useRoomState } from '../use-room.ts'
import { MemberRole } from './member-role.tsx'
import { arcDegrees, areAligned, placeFaces, type RingPlace } from './ring-layout.ts'

const facesMax = limits.syncShownMembers
const facePx = 30
/** As high as a face's button on a touch screen: no target lies over another. */
const rowPx = 44

export interface PeopleAroundProps {
  /** Opens the Invite dialog. */
  onInvite: () => void
  /** Opens the list of members. */
  onShowAll: () => void
  /** Runs the diagnosis of the viewer's own sound. */
  onDiagnose: () => void
}

/** Shows the people of this room round the cover; offers a lone member to invite others (on a phone in the header). */
export function PeopleAround({ onInvite, ...ring }: PeopleAroundProps) {
  const members = useRoomState((state) => state.members)
  const memberCount = useRoomState((state) => state.memberCount)
  const userId = useRoomState((state) => state.userId)
  const own = useRoomState((state) => state.sync)
  const reports = useRoomState((state) => state.memberSync)
  const isConnected = useRoomState((state) => state.connection === 'connected')
  const lost = useLostConnection()
  if (memberCount === 1) {
    // The notice of the lost connection lies there (17.188).
    if (lost !== null) return null
    return (
      <Button
        size="sm"
        tone="soft"
        title={people.alone}
        onClick={onInvite}
        className="pointer-events-auto absolute bottom-[calc(100%+0.25rem)] left-1/2 -translate-x-1/2 max-sm:hidden pointer-coarse:h-9! pointer-coarse:after:absolute pointer-coarse:after:-inset-1 low:hidden"
      >
        <UserPlus aria-hidden className="size-4" />
        {people.invite}
      </Button>
    )
  }
  return (
    <PeopleRing
      members={members}
      memberCount={memberCount}
      viewerId={userId}
      syncOf={(id) => (isConnected ? (id === userId ? own : reports[id]) : undefined)}
      isConnected={isConnected}
      {...ring}
    />
  )
}

interface PeopleRingProps extends Omit<PeopleAroundProps, 'onInvite'> {
  members: readonly Member[]
  /** May exceed the members. */
  memberCount: number
  viewerId: string
  syncOf: (memberId: string) => ListenerSync | undefined
  isConnected: boolean
}

/**
 * Up to twelve faces left and right of the cover, as many as its height has space for, each with an arc that faces the
 * cover while they are in sync. When all are, the ring closes up once. Fills its container; reports change transforms only.
 */
export function PeopleRing(props: PeopleRingProps) {
  const { members, memberCount, viewerId, syncOf, isConnected, onShowAll, onDiagnose } = props
  const ring = useRef<HTMLUListElement>(null)
  const most = useMostFaces(ring)
  const shown = useMemo(
    () => members.slice(0, memberCount > most ? most - 1 : most),
    [members, memberCount, most],
  )
  const ids = useMemo(() => shown.map(({ id }) => id), [shown])
  const keepFocus = useListFocus(ring, ids)
  const more = memberCount - shown.length
  const places = placeFaces(shown.length + (more > 0 ? 1 : 0))
  const isAligned = areAligned(shown.map(({ id }) => syncOf(id)))
  const last = places.at(-1)
  return (
    <ul
      ref={ring}
      tabIndex={-1}
      aria-label={people.ring}
      className="[container-type:size] absolute inset-0 outline-none low:hidden"
    >
      {shown.map((member, index) => (
        <RingItem
          key={member.id}
          place={places[index]}
          isAligned={isAligned}
          item={keepFocus(member.id, index)}
        >
          <Face
            member={member}
            sync={syncOf(member.id)}
            isConnected={isConnected}
            side={places[index]?.side ?? 1}
            onDiagnose={member.id === viewerId ? onDiagnose : null}
          />
        </RingItem>
      ))}
      {more > 0 && (
        <RingItem place={last} isAligned={isAligned}>
          <button
            type="button"
            aria-label={people.others(more)}
            onClick={onShowAll}
            className="pointer-events-auto grid size-10 place-items-center rounded-full bg-raised text-xs font-medium tabular-nums hover:bg-line pointer-coarse:size-11"
          >
            {people.plus(more)}
          </button>
        </RingItem>
      )}
    </ul>
  )
}

/** How many faces there is space for in two columns as high as the ring. */
function useMostFaces(ring: RefObject<HTMLElement | null>): number {
  const [most, setMost] = useState<number>(facesMax)
  useEffect(() => {
    if (!ring.current) return
    const observer = new ResizeObserver(([entry]) => {
      const rows = Math.floor((entry?.contentRect.height ?? 0) / rowPx)
      // Without a height it is not shown.
      if (rows > 0) setMost(Math.min(facesMax, 2 * rows))
    })
    observer.observe(ring.current)
    return () => observer.disconnect()
  }, [ring])
  return most
}

interface RingItemProps {
  place: RingPlace | undefined
  isAligned: boolean
  item?: ReturnType<ListFocus>
  children: ReactNode
}

function RingItem({ place = { side: 1, row: 0 }, isAligned, item, children }: RingItemProps) {
  const { side, row } = place
  // On a phone there is no space for the curve.
  const curveRem = (0.6 * (1 - (0.32 * row) ** 2) + (isAligned ? 0 : 0.35)).toFixed(2)
  const x = `calc(${side} * (50cqw + 1.45rem + var(--curve) * ${curveRem}rem))`
  const style: CSSProperties = {
    transform: `translate(-50%, -50%) translate(${x}, calc(${row} * max(16cqh, ${rowPx}px)))`,
  }
  return (
    <li
      {...item}
      style={style}
      className="absolute top-1/2 left-1/2 transition-transform duration-700 ease-calm [--curve:0] sm:[--curve:1]"
    >
      {children}
    </li>
  )
}

interface FaceProps {
  member: Member
  sync: ListenerSync | undefined
  isConnected: boolean
  side: -1 | 1
  /** Null for the others. */
  onDiagnose: (() => void) | null
}

/** A face with its arc; opens how well this member is in sync, and why. */
function Face({ member, sync, isConnected, side, onDiagnose }: FaceProps) {
  const [isOpen, setOpen] = useState(false)
  const state = describeMemberSync(sync, isConnected)
  return (
    <Popover
      title={member.username}
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          aria-label={`${member.username}, ${state}`}
          className="pointer-events-auto relative grid size-10 place-items-center rounded-full pointer-coarse:size-11"
        >
          <Avatar name={member.username} url={member.avatar_url} size={facePx} />
          <Arc sync={sync} side={side} />
        </button>
      }
    >
      <p className="mt-2 flex flex-wrap items-center gap-2 text-sm font-medium tabular-nums">
        <span>{state}</span>
        <MemberRole member={member} />
      </p>
      {sync && <p className="mt-1 text-sm text-pretty text-ink-muted">{people.causes[sync.cause]}</p>}
      {onDiagnose && (
        <DiagnoseButton
          className="mt-4"
          onDiagnose={() => {
            setOpen(false)
            onDiagnose()
          }}
        />
      )}
    </Popover>
  )
}

/** Faces the cover in sync; turned clockwise by how far the member is ahead. Without a figure it is a faint circle. */
function Arc({ sync, side }: Pick<FaceProps, 'sync' | 'side'>) {
  const degrees = arcDegrees(sync)
  const colour = sync?.cause === 'in_sync' ? 'text-brand-text' : 'text-caution'
  const towardsCover = side === -1 ? 90 : -90
  return (
    <svg
      aria-hidden
      viewBox="0 0 40 40"
      style={{ transform: `rotate(${towardsCover + (degrees ?? 0)}deg)` }}
      className={`pointer-events-none absolute inset-0 transition-transform duration-700 ease-calm ${degrees === null ? 'text-ink-muted/40' : colour}`}
    >
      <circle
        cx="20"
        cy="20"
        r="18.5"
        fill="none"
        stroke="currentColor"
        strokeWidth={degrees === null ? 1 : 2.5}
        strokeLinecap="round"
        pathLength="360"
        strokeDasharray={degrees === null ? undefined : '70 290'}
        strokeDashoffset={degrees === null ? undefined : 125}
      />
    </svg>
  )
}
