import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { endSession, ownSessionsQuery, type OwnSession } from '../../api/password.ts'
import { sessions as texts } from '../../texts/profile.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { formatAgo } from '../../ui/music/format-time.ts'
import { notify } from '../../ui/notices/notify.ts'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { TryAgain } from '../../ui/controls/try-again.tsx'
import { useNow } from '../../ui/page/use-now.ts'

/** The sessions of the account, each with a way to end it. */
export function SessionList() {
  const { data, isLoadingError, refetch } = useQuery(ownSessionsQuery)
  if (isLoadingError)
    return <TryAgain title={texts.loadFailed} text={texts.loadFailedText} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="h-24 rounded-md" />
  return (
    <ul className="divide-y divide-line">
      {data
        .toSorted(
          (one, other) => Number(other.isHere) - Number(one.isHere) || other.createdAtMs - one.createdAtMs,
        )
        .map((session) => (
          <SessionItem key={session.token} session={session} />
        ))}
    </ul>
  )
}

function SessionItem({ session }: { session: OwnSession }) {
  const queryClient = useQueryClient()
  const nowMs = useNow()
  const [isBusy, setBusy] = useState(false)
  const device = describeDevice(session.userAgent)
  const end = async () => {
    setBusy(true)
    const failure = await endSession(session.token)
    setBusy(false)
    if (failure) notify({ kind: 'error', title: texts.signOutFailed, text: failure.message ?? undefined })
    await queryClient.invalidateQueries(ownSessionsQuery)
  }
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
          {device}
          {session.isHere && <Badge tone="brand">{texts.here}</Badge>}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-4 text-sm text-ink-muted">
          <span>{texts.since(formatAgo(session.createdAtMs, nowMs))}</span>
          {session.ipAddress !== null && <span className="wrap-anywhere">{session.ipAddress}</span>}
        </p>
      </div>
      {!session.isHere && (
        <Button isBusy={isBusy} aria-label={texts.signOutOf(device)} onClick={() => void end()}>
          {texts.signOut}
        </Button>
      )}
    </li>
  )
}

/** In this order: the names of some browsers are also in what others call themselves. */
const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(?:e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const systems = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** Returns browser and system of a session, from what the browser calls itself: 'Firefox on Linux'. */
function describeDevice(userAgent: string | null): string {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const system = systems.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  if (browser === undefined) return texts.unknownBrowser
  return texts.device(browser, system ?? texts.unknownSystem)
}
