import { useQuery } from '@tanstack/react-query'
import { libraryStateQuery } from '../../api/admin.ts'
import { callApi } from '../../api/call-api.ts'
import { admin, adminLibrary as texts } from '../../texts/admin.ts'
import { AlertBox } from '../../ui/notices/alert-box.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { TryAgain } from '../../ui/controls/try-again.tsx'
import { useAdminAction } from './use-admin-action.ts'

/** The music library: scan now, progress, and the files that cannot be used. */
export function LibraryPanel() {
  const { data: library, isLoadingError, refetch } = useQuery(libraryStateQuery)
  const { mutate, isPending } = useAdminAction(() => callApi('POST /api/admin/library/scan', {}))
  if (isLoadingError)
    return <TryAgain title={admin.loadFailed} text={admin.loadFailedText} onRetry={() => void refetch()} />
  if (!library) return <Skeleton className="h-60 rounded-xl" />
  const { isScanning, reason, trackCount, problemCount, problems } = library
  return (
    <div className="grid gap-5">
      <Card title={texts.tracks(trackCount)}>
        <div className="flex flex-wrap items-center justify-between gap-4">
          {reason === null ? (
            <output className="text-sm text-ink-muted">
              {isScanning ? texts.isScanning : texts.upToDate}
            </output>
          ) : (
            <AlertBox kind="error">{reason}</AlertBox>
          )}
          <Button tone="primary" isBusy={isPending || isScanning} onClick={() => mutate(undefined)}>
            {isScanning ? texts.scanning : texts.scan}
          </Button>
        </div>
      </Card>
      <Card title={problemCount === 0 ? texts.noProblems : texts.problems(problemCount)}>
        {problems.length < problemCount && (
          <p className="mb-3 text-sm text-ink-muted">{texts.firstProblems(problems.length)}</p>
        )}
        <ul className="divide-y divide-line">
          {problems.map(({ path, reason: why }) => (
            <li key={path} className="py-3 text-sm">
              <p className="font-medium wrap-anywhere">{path}</p>
              <p className="wrap-anywhere text-ink-muted">{why}</p>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}
