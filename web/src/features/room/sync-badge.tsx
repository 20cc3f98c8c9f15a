import { syncBadge, syncTexts } from '../../texts.ts'
import { useRoomState } from './use-room.ts'

/** How close this listener's sound is to the room's. */
export function SyncBadge() {
  const { errorMs, cause } = useRoomState((state) => state.sync)
  const hasTrack = useRoomState((state) => state.track !== null)
  if (!hasTrack) return null
  return (
    <span className="inline-flex h-8 items-center gap-2 rounded-full bg-page/55 px-3.5 text-sm font-medium tabular-nums">
      <span className={`size-2 rounded-full ${dotLook(cause)}`} aria-hidden />
      <span className="sr-only">{syncBadge.label}: </span>
      {describeSync(cause, errorMs)}
    </span>
  )
}

type Cause = keyof typeof syncTexts

/** 'In sync · 4 ms', or the cause alone where there is no figure or it says nothing. */
export function describeSync(cause: Cause, errorMs: number | null): string {
  const hasFigure = errorMs !== null && (cause === 'in_sync' || cause === 'correcting')
  return hasFigure ? syncBadge.withError(syncTexts[cause], Math.round(Math.abs(errorMs))) : syncTexts[cause]
}

function dotLook(cause: Cause): string {
  if (cause === 'in_sync') return 'bg-brand'
  if (cause === 'paused') return 'bg-ink-muted'
  return 'animate-breathe bg-caution'
}
