import type { SyncCause } from '@earshot/core/protocol/socket-events'
import { ChevronDown } from 'lucide-react'
import { syncBadge, syncPanel } from '../../../texts.ts'
import { Popover } from '../../../ui/popover.tsx'
import { describeSync } from '../describe-sync.ts'
import { SyncPanel } from './sync-panel.tsx'
import { useRoomState } from '../use-room.ts'

/** How close this listener's sound is to the room's; a click says more, and offers the nudge. */
export function SyncBadge() {
  const { errorMs, cause } = useRoomState((state) => state.sync)
  const source = useRoomState((state) => state.track?.source ?? null)
  if (!source) return null
  return (
    <Popover
      title={syncPanel.title}
      trigger={
        <button
          type="button"
          className="relative inline-flex h-8 items-center gap-2 rounded-full bg-page/55 pr-2.5 pl-3.5 text-sm font-medium tabular-nums transition-colors hover:bg-page/80 pointer-coarse:after:absolute pointer-coarse:after:-inset-1.5"
        >
          <span className={`size-2 rounded-full ${dotLook(cause)}`} aria-hidden />
          <span className="sr-only">{syncBadge.label}: </span>
          <span>{describeSync(cause, errorMs)}</span>
          <ChevronDown aria-hidden className="size-4 text-ink-muted" />
        </button>
      }
    >
      <SyncPanel source={source} />
    </Popover>
  )
}

function dotLook(cause: SyncCause): string {
  if (cause === 'in_sync') return 'bg-brand'
  if (cause === 'paused') return 'bg-ink-muted'
  return 'animate-breathe bg-caution'
}
