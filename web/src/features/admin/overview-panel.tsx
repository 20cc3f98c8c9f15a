import type { ServerFigures } from '@earshot/core/protocol/admin-calls'
import { useQuery } from '@tanstack/react-query'
import { figuresQuery } from '../../api/admin.ts'
import { admin, figures as texts } from '../../texts/admin.ts'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { TryAgain } from '../../ui/controls/try-again.tsx'

/** Live figures of the server, and the storage used. */
export function OverviewPanel() {
  const { data: figures, isError, refetch } = useQuery(figuresQuery)
  if (!figures && isError)
    return <TryAgain title={admin.loadFailed} text={admin.loadFailedText} onRetry={() => void refetch()} />
  if (!figures) return <Skeleton className="h-80 rounded-xl" />
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Figures title={texts.now} rows={listNow(figures)} />
      <Figures title={texts.storage} rows={listStorage(figures)} />
    </div>
  )
}

type Row = readonly [label: string, value: string]

function Figures({ title, rows }: { title: string; rows: Row[] }) {
  return (
    <Card title={title}>
      <dl className="divide-y divide-line">
        {rows.map(([label, value]) => (
          <div key={label} className="flex justify-between gap-4 py-2.5 text-sm">
            <dt className="text-ink-muted">{label}</dt>
            <dd className="shrink-0 font-medium whitespace-nowrap tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function listNow(figures: ServerFigures): Row[] {
  const { eventLoopDelayMs } = figures
  return [
    [texts.members, String(figures.members)],
    [texts.sockets, String(figures.sockets)],
    [texts.rooms, String(figures.rooms)],
    [texts.users, String(figures.users)],
    [texts.memory, texts.bytes(figures.memoryBytes)],
    [texts.delay, eventLoopDelayMs === null ? texts.none : texts.ms(eventLoopDelayMs)],
    [texts.uptime, texts.duration(figures.uptimeMs)],
    [texts.version, figures.version],
  ]
}

function listStorage({ storage }: ServerFigures): Row[] {
  return [
    [texts.database, texts.bytes(storage.databaseBytes)],
    [texts.covers, texts.bytes(storage.coversBytes)],
    [texts.cache, texts.bytes(storage.cacheBytes)],
    [texts.copies, texts.bytes(storage.copiesBytes)],
    [texts.free, texts.bytes(storage.freeDiskBytes)],
  ]
}
