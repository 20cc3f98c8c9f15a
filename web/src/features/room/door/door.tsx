import type { Door as DoorFacts } from '@earshot/core/protocol/door-calls'
import { type ErrorCode, hasCode } from '@earshot/core/protocol/errors'
import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { refusedSession } from '../../../api/refused-session.ts'
import { doorQuery, readInvite } from '../../../api/door.ts'
import { door as texts } from '../../../texts/door.ts'
import { AlertBox } from '../../../ui/notices/alert-box.tsx'
import { Artwork } from '../../../ui/music/artwork.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { Skeleton } from '../../../ui/loading/skeleton.tsx'
import { TryAgain } from '../../../ui/controls/try-again.tsx'
import { PageTitle } from '../../../ui/page/page-title.tsx'
import { GuestForm } from './guest-form.tsx'
import { AccountLinks } from './account-links.tsx'
import { privateTitle } from './private-title.ts'

interface DoorProps {
  roomId: string
  /** Why the room refused a guest. */
  refusal?: ErrorCode
  /** Shown where there is no such room. */
  notFound: ReactNode
}

/**
 * A room as a visitor without an account sees it: its track, its listeners and the way in. A guest is here only where the
 * room refused them.
 */
export function Door({ roomId, refusal, notFound }: DoorProps) {
  const invite = readInvite()
  const wasEnded = useStore(refusedSession).isRefused
  const { data: door, error, refetch, isPlaceholderData } = useQuery(doorQuery(roomId, invite))
  // No room can have an address that is no valid id.
  if (hasCode(error, 'room_not_found', 'invalid_input')) return notFound
  if (!door && error) {
    const { loadFailedTitle: title, loadFailedText: text } = texts
    return <TryAgain title={title} text={text} onRetry={() => void refetch()} className="min-h-[60dvh]" />
  }
  // Whether an invite admits is only known from the call.
  if (!door || (invite !== null && isPlaceholderData)) return <DoorSkeleton />
  const isOpen = door.isPublic || door.isInvited
  return (
    <section
      aria-labelledby="door-title"
      className="mx-auto grid max-w-240 items-center gap-x-14 gap-y-7 py-6 md:min-h-[calc(100dvh-var(--spacing-topbar)-4rem)] md:grid-cols-2 low:min-h-0 low:grid-cols-[minmax(0,11rem)_minmax(0,1fr)] low:items-start low:gap-x-8 low:py-4"
    >
      <PageTitle name={door.name} />
      {isOpen ? <Cover door={door} /> : <LockTile />}
      <div className="mx-auto w-full max-w-104 min-w-0 max-md:text-center low:text-start">
        <h1
          id="door-title"
          className="line-clamp-5 pb-1 text-headline font-semibold tracking-tight text-balance wrap-anywhere low:line-clamp-2 low:text-xl"
        >
          {isOpen ? sceneOf(door) : privateTitle(door.name)}
        </h1>
        {door.track?.artist && (
          <p dir="auto" className="mt-2 truncate text-lg text-ink-muted">
            {door.track.artist}
          </p>
        )}
        {isOpen && <Faces door={door} />}
        {wasEnded && (
          <div className="mt-5 text-start low:mt-3">
            <AlertBox kind="error">{texts.sessionEnded}</AlertBox>
          </div>
        )}
        {door.guestsMayCome && refusal === undefined ? (
          <GuestForm />
        ) : (
          <ClosedDoor
            text={refusal === 'network_banned' ? texts.networkBanned : describeClosed(door, invite !== null)}
          />
        )}
      </div>
    </section>
  )
}

function sceneOf({ name, owner, faces, track, isPlaying }: DoorFacts): string {
  // Where they are there, the faces begin with theirs.
  const isOwnerHere = faces[0]?.username === owner.username
  return texts.scene({
    owner: owner.username,
    room: name,
    track: track?.title ?? null,
    isPlaying,
    isOwnerHere,
  })
}

const tileLook =
  'aspect-square max-h-[min(26rem,36dvh)] max-w-[min(26rem,36dvh)] justify-self-center rounded-2xl md:max-h-104 md:max-w-104 low:max-h-44 low:max-w-44'

function Cover({ door: { name, track } }: { door: DoorFacts }) {
  const seed = track?.title ?? name
  return (
    <Artwork url={track?.art ?? null} alt="" size="100%" seed={seed} className={`${tileLook} shadow-lift`} />
  )
}

function LockTile() {
  return (
    <span
      aria-hidden
      className={`${tileLook} grid w-full place-items-center bg-surface text-ink-muted ring-1 ring-line ring-inset`}
    >
      <Lock className="size-1/4" />
    </span>
  )
}

const facePx = 32

function Faces({ door: { faces, listeners } }: { door: DoorFacts }) {
  return (
    <p className="mt-4 flex items-center gap-3 text-start text-sm text-ink-muted max-md:justify-center low:mt-2 low:justify-start">
      {faces.length > 0 && (
        <span className="flex -space-x-2">
          {faces.map(({ username, avatar }, index) => (
            <Avatar key={index} name={username} url={avatar} size={facePx} />
          ))}
        </span>
      )}
      <span>{listeners === 0 ? texts.nobody : texts.listening(listeners)}</span>
    </p>
  )
}

/** Says why the visitor needs an account, with the way to one. */
function ClosedDoor({ text }: { text: string }) {
  return (
    <div className="mt-7 low:mt-3">
      <p className="mb-5 text-pretty text-ink-muted">{text}</p>
      <AccountLinks isPrimary />
    </div>
  )
}

function describeClosed({ owner, guests, isInvited }: DoorFacts, hadInvite: boolean): string {
  const hasEnded = hadInvite && !isInvited && guests !== 'nobody'
  return hasEnded ? texts.inviteEnded(owner.username) : texts.closed[guests](owner.username)
}

function DoorSkeleton() {
  return (
    <div className="mx-auto grid max-w-240 items-center gap-x-14 gap-y-7 py-6 md:min-h-[calc(100dvh-var(--spacing-topbar)-4rem)] md:grid-cols-2">
      <Skeleton className="aspect-square w-full max-w-[min(26rem,36dvh)] justify-self-center rounded-2xl md:max-w-104" />
      <div className="mx-auto w-full max-w-104">
        <Skeleton className="h-20 w-full" />
        <Skeleton className="mt-5 h-8 w-44" />
        <Skeleton className="mt-8 h-12 w-full" />
        <Skeleton className="mt-4 h-13 w-full rounded-full" />
      </div>
    </div>
  )
}
