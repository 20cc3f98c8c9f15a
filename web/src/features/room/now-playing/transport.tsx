import { RefreshCw, SkipBack, SkipForward } from 'lucide-react'
import { nowPlaying } from '../../../texts.ts'
import { buttonLook } from '../../../ui/button.tsx'
import { HintedButton } from '../../../ui/hinted-button.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { PlayButton } from './play-button.tsx'
import { useRoomCommand } from '../use-room-command.ts'
import { useRoomActions, useRoomState } from '../use-room.ts'
import { useManualSync } from '../sync/use-manual-sync.ts'
import { VolumeControl } from './volume-control.tsx'

/** Previous, play-pause, next; volume and Sync, which are everybody's own (2.23c). */
export function Transport() {
  const isOwner = useRoomState((state) => state.isOwner)
  const ownerName = useRoomState((state) => state.room?.owner.username ?? '')
  return (
    <>
      <div className="mt-3 grid grid-cols-[1fr_auto_1fr] items-center gap-x-3 gap-y-4 max-sm:grid-cols-2">
        <VolumeControl />
        <div className="max-sm:order-first max-sm:col-span-2 max-sm:justify-self-center">
          <PlaybackButtons hint={isOwner ? undefined : nowPlaying.ownerControls(ownerName)} />
        </div>
        <SyncButton />
      </div>
      {!isOwner && (
        <p className="mt-3 text-center text-sm text-ink-muted">{nowPlaying.ownerControls(ownerName)}</p>
      )}
    </>
  )
}

function PlaybackButtons({ hint }: { hint: string | undefined }) {
  const { previous, next } = useRoomActions()
  const run = useRoomCommand()
  const hasTrack = useRoomState((state) => state.track !== null)
  const hasNext = useRoomState((state) => state.queue.some((entry) => !entry.isPending))
  const isOwner = hint === undefined
  return (
    <div className="flex items-center gap-3">
      <HintedButton
        tone="plain"
        label={nowPlaying.previous}
        hint={hint}
        isDisabled={!isOwner || !hasTrack}
        onClick={() => run(previous)}
      >
        <SkipBack aria-hidden fill="currentColor" />
      </HintedButton>
      <PlayButton size="lg" />
      <HintedButton
        tone="plain"
        label={nowPlaying.next}
        hint={hint}
        isDisabled={!isOwner || !hasNext}
        onClick={() => run(next)}
      >
        <SkipForward aria-hidden fill="currentColor" />
      </HintedButton>
    </div>
  )
}

function SyncButton() {
  const sync = useManualSync()
  return (
    <span className="justify-self-end">
      <Tooltip text={nowPlaying.syncHint}>
        <button type="button" onClick={sync} className={buttonLook({ tone: 'secondary', size: 'sm' })}>
          <RefreshCw aria-hidden className="size-4" />
          {nowPlaying.sync}
        </button>
      </Tooltip>
    </span>
  )
}
