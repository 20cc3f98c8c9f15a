import type { ProfileStats } from '@earshot/core/protocol/providers'
import { useQuery } from '@tanstack/react-query'
import { stats as texts } from '../../texts/profile.ts'
import { statsQuery } from '../../api/account.ts'
import { sourceNames } from '../../texts/common.ts'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { TryAgain } from '../../ui/controls/try-again.tsx'

/** Shows what the user did, as the server counted it (2.32). */
export function StatsCard({ userId }: { userId: string }) {
  const { data: stats, isError, refetch } = useQuery(statsQuery(userId))
  return (
    <Card title={texts.title}>
      {stats ? (
        <Figures stats={stats} />
      ) : isError ? (
        <TryAgain title={texts.loadFailed} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-26" />
      )}
    </Card>
  )
}

function Figures({ stats }: { stats: ProfileStats }) {
  const { totalRoomsCreated, totalPlaytime, favoriteService } = stats
  const figures = [
    [texts.roomsCreated, String(totalRoomsCreated)],
    [texts.listeningTime, texts.duration(totalPlaytime)],
    [texts.favorite, favoriteService === null ? texts.noFavorite : sourceNames[favoriteService]],
  ]
  return (
    <dl className="grid gap-3">
      {figures.map(([name, value]) => (
        <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-4">
          <dt className="text-sm text-ink-muted">{name}</dt>
          <dd className="text-lg font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
