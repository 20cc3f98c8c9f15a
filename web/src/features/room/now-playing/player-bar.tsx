import { LogOut, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { nowPlaying } from '../../../texts/now-playing.ts'
import { buttonLook } from '../../../ui/controls/button.tsx'
import { Tooltip } from '../../../ui/popups/tooltip.tsx'
import { useLeaveRoom } from '../use-leave-room.ts'
import { useManualSync } from '../use-room-command.ts'
import { ProgressBar } from './progress-bar.tsx'
import { PauseHereButton } from './sound-notices.tsx'
import { PlaybackButtons, VolumeControl } from './transport.tsx'

/**
 * The controls of the room, always at the bottom of the screen (2.23c), above its tabs; `badge` stands between the
 * times.
 */
export function PlayerBar({ badge }: { badge: ReactNode }) {
  return (
    <div className="fixed inset-x-0 bottom-0 z-21 grid h-[calc(var(--spacing-player)+env(safe-area-inset-bottom))] grid-cols-[auto_minmax(0,1fr)] content-center items-center gap-x-4 gap-y-1 border-t border-line bg-surface px-4 pb-[env(safe-area-inset-bottom)] [grid-area:player] max-sm:gap-x-0 sm:grid-cols-[auto_minmax(0,1fr)_auto] sm:px-6 lg:gap-x-8 beside:static tight:gap-x-2 tight:px-4">
      <div className="max-sm:col-span-2 sm:order-2">
        <ProgressBar middle={badge} />
      </div>
      {/* On a phone 360 px wide all seven fit, 44 px each; on a narrower one they also use the padding. */}
      <PlaybackButtons className="max-sm:-mx-2 sm:order-1 slim:-mx-4" />
      <div className="flex items-center gap-1 justify-self-end max-sm:-me-2 sm:order-3 slim:-me-4 slim:gap-0">
        <VolumeControl />
        <PauseHereButton />
        <SyncButton />
        <LeaveButton />
      </div>
    </div>
  )
}

// Icons alone where there is little width.
const toolLook = buttonLook({
  tone: 'quiet',
  size: 'sm',
  class: 'max-lg:w-9 max-lg:px-0 max-lg:pointer-coarse:w-11',
})
const toolLabel = 'max-lg:sr-only'

function SyncButton() {
  const sync = useManualSync()
  return (
    <Tooltip text={nowPlaying.syncHint}>
      <button type="button" onClick={sync} className={toolLook}>
        <RefreshCw aria-hidden className="size-4.5" />
        <span className={toolLabel}>{nowPlaying.sync}</span>
      </button>
    </Tooltip>
  )
}

function LeaveButton() {
  const leave = useLeaveRoom()
  return (
    <Tooltip text={nowPlaying.leaveHint}>
      <button type="button" onClick={leave} className={toolLook}>
        <LogOut aria-hidden className="size-4.5" />
        <span className={toolLabel}>{nowPlaying.leave}</span>
      </button>
    </Tooltip>
  )
}
