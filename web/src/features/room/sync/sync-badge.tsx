import type { SyncCause } from '@earshot/core/protocol/sync-report'
import { ChevronDown, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { syncBadge, syncPanel } from '../../../texts/now-playing.ts'
import { people } from '../../../texts/people.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { onDemand } from '../../../ui/loading/on-demand.tsx'
import { Popover } from '../../../ui/popups/popover.tsx'
import { describeSync } from '../describe-sync.ts'
import { describeUnplayable, useUnplayableReason } from '../playability.tsx'
import { useRoomState } from '../use-room.ts'
import type { SyncPanelProps } from './sync-panel.tsx'

const SyncPanel = onDemand<SyncPanelProps>(async () => (await import('./sync-panel.tsx')).SyncPanel)

interface SyncBadgeProps {
  onInvite: () => void
  onDiagnose: () => void
}

/**
 * Shows how closely this listener follows the room; a click opens the cause, the nudge and the diagnosis. A lone listener
 * has nobody to be in sync with, and is offered to invite others.
 */
export function SyncBadge({ onInvite, onDiagnose }: SyncBadgeProps) {
  const [isOpen, setOpen] = useState(false)
  const sync = useRoomState((state) => state.sync)
  const reason = useUnplayableReason(useRoomState((state) => state.track?.id ?? ''))
  // The room's texts about a sync say only that a track cannot be played.
  const isUnplayable = sync.cause === 'unplayable'
  const description = isUnplayable ? describeUnplayable(reason ?? 'format').badge : describeSync(sync)
  const heard = useRoomState((state) => state.heardTrack)
  const isConnected = useRoomState((state) => state.connection === 'connected')
  const isAlone = useRoomState((state) => state.memberCount === 1) && isConnected && sync.cause === 'in_sync'
  if (!heard) return null
  const closeAnd = (action: () => void) => () => {
    setOpen(false)
    action()
  }
  return (
    <Popover
      title={syncPanel.title}
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          // Above the player bar: the seek bar is over the badge.
          data-gap={48}
          className="relative inline-flex h-8 max-w-full items-center gap-2 rounded-full px-2.5 text-sm font-medium text-ink tabular-nums transition-colors hover:bg-raised pointer-coarse:after:absolute pointer-coarse:after:-inset-1.5 tight:gap-1 tight:px-1 tight:text-xs"
        >
          <span
            className={`size-2 shrink-0 rounded-full forced-color-adjust-none ${isConnected ? dotLook(sync.cause) : 'bg-caution'}`}
            aria-hidden
          />
          <span className="sr-only">{syncBadge.label}: </span>
          {isAlone && <span className="truncate">{syncBadge.alone} </span>}
          <span dir="auto" className={isAlone ? 'sr-only' : 'truncate'}>
            {isConnected ? description : syncBadge.disconnected}
          </span>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-muted" />
        </button>
      }
    >
      {isAlone && <Invitation onInvite={closeAnd(onInvite)} />}
      <SyncPanel heard={heard} onDiagnose={closeAnd(onDiagnose)} />
    </Popover>
  )
}

function Invitation({ onInvite }: { onInvite: () => void }) {
  return (
    <div className="mt-3">
      <p className="mb-3 text-sm text-ink-muted">{syncBadge.aloneText}</p>
      <Button size="sm" tone="primary" onClick={onInvite}>
        <UserPlus aria-hidden className="size-4" />
        {people.invite}
      </Button>
    </div>
  )
}

function dotLook(cause: SyncCause): string {
  if (cause === 'in_sync') return 'bg-brand'
  if (cause === 'paused') return 'bg-ink-muted'
  return 'animate-breathe bg-caution'
}
