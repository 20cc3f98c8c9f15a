import type { Source } from '@earshot/core/protocol/entities'
import type { SyncCause } from '@earshot/core/protocol/sync-report'
import { ChevronDown, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { RoomState } from '../../../engine/state/room-state.ts'
import { syncBadge, syncPanel } from '../../../texts/now-playing.ts'
import { people } from '../../../texts/people.ts'
import { Button } from '../../../ui/button.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { describeSync } from '../describe-sync.ts'
import { useRoomState } from '../use-room.ts'
import { NudgeControl } from './nudge-control.tsx'

/**
 * Shows how closely this listener follows the room; a click opens details and the nudge. Who is alone and in sync has
 * nobody to be in sync with, and is offered to invite others.
 */
export function SyncBadge({ onInvite }: { onInvite: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const sync = useRoomState((state) => state.sync)
  const source = useRoomState((state) => state.track?.source ?? null)
  const isConnected = useRoomState((state) => state.connection === 'connected')
  const isAlone = useRoomState((state) => state.memberCount === 1) && isConnected && sync.cause === 'in_sync'
  if (!source) return null
  return (
    <Popover
      title={syncPanel.title}
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          className="relative inline-flex h-8 max-w-full items-center gap-2 rounded-full px-2.5 text-sm font-medium text-ink tabular-nums transition-colors hover:bg-raised pointer-coarse:after:absolute pointer-coarse:after:-inset-1.5"
        >
          <span
            className={`size-2 shrink-0 rounded-full ${isConnected ? dotLook(sync.cause) : 'bg-caution'}`}
            aria-hidden
          />
          <span className="sr-only">{syncBadge.label}: </span>
          {isAlone && <span className="truncate">{syncBadge.alone} </span>}
          <span dir="auto" className={isAlone ? 'sr-only' : 'truncate'}>
            {isConnected ? describeSync(sync) : syncBadge.disconnected}
          </span>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-muted" />
        </button>
      }
    >
      {isAlone && (
        <Invitation
          onInvite={() => {
            setOpen(false)
            onInvite()
          }}
        />
      )}
      <SyncPanel source={source} />
    </Popover>
  )
}

function Invitation({ onInvite }: { onInvite: () => void }) {
  return (
    <div className="mt-3">
      <p className="mb-3 text-sm text-ink-muted">{syncBadge.aloneText}</p>
      <Button size="sm" tone="primary" onClick={onInvite} className="pointer-coarse:h-11">
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

/** Shows the sync of this listener and of the room, with the nudge below. */
function SyncPanel({ source }: { source: Source }) {
  const sync = useRoomState((state) => state.sync)
  const roomSync = useRoomState((state) => state.roomSync)
  return (
    <>
      <SyncFigures sync={sync} roomSync={roomSync} />
      <NudgeControl source={source} />
    </>
  )
}

/** Shows what this listener and the room are in sync within, and how much of it cannot be measured. */
export function SyncFigures({ sync, roomSync }: Pick<RoomState, 'sync' | 'roomSync'>) {
  return (
    <>
      <dl className="my-4 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 text-sm">
        <Figure name={syncPanel.own} value={describeSync(sync)} />
        <Figure name={syncPanel.half} value={describeBound(roomSync.p50Ms)} />
        <Figure name={syncPanel.nearlyAll} value={describeBound(roomSync.p95Ms)} />
      </dl>
      {typeof sync.uncertaintyMs === 'number' && (
        <p className="mb-4 text-xs text-ink-muted">{syncPanel.unmeasurable(sync.uncertaintyMs)}</p>
      )}
    </>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-ink-muted">{name}</dt>
      <dd className="text-end font-medium tabular-nums">{value}</dd>
    </>
  )
}

const describeBound = (ms: number | null): string => (ms === null ? syncPanel.unknown : syncPanel.within(ms))
