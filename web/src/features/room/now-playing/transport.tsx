import { Pause, Play, RefreshCw, SkipBack, SkipForward, Volume1, Volume2, VolumeX } from 'lucide-react'
import { nowPlaying } from '../../../texts/now-playing.ts'
import { buttonLook } from '../../../ui/button.tsx'
import { HintedButton } from '../../../ui/hinted-button.tsx'
import { Range } from '../../../ui/range.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { useManualSync, useRoomCommand } from '../use-room-command.ts'
import { useRoomActions, useRoomState } from '../use-room.ts'
import { PauseHereButton } from './sound-notices.tsx'

/** Shows the owner's playback buttons, and every listener's own volume and Sync (2.23c). */
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
        isDisabled={!isOwner || !(hasTrack || hasNext)}
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

/** Plays or pauses the room; disabled for everybody but the owner. */
export function PlayButton({ size }: { size: 'md' | 'lg' }) {
  const { play, pause } = useRoomActions()
  const run = useRoomCommand()
  const isPlaying = useRoomState((state) => state.timeline.isPlaying)
  const hasTrack = useRoomState((state) => state.track !== null)
  const isOwner = useRoomState((state) => state.isOwner)
  const ownerName = useRoomState((state) => state.room?.owner.username ?? '')
  const Icon = isPlaying ? Pause : Play
  return (
    <HintedButton
      tone="primary"
      size={size}
      label={isPlaying ? nowPlaying.pause : nowPlaying.play}
      hint={isOwner ? undefined : nowPlaying.ownerControls(ownerName)}
      isDisabled={!isOwner || !hasTrack}
      onClick={() => run(isPlaying ? pause : play)}
    >
      <Icon aria-hidden fill="currentColor" className={isPlaying ? '' : 'translate-x-[6%]'} />
    </HintedButton>
  )
}

const volumeStep = 0.05

/** Sets the volume of this device, or stops its sound. */
function VolumeControl() {
  const { setVolume, setMuted } = useRoomActions()
  const volume = useRoomState((state) => state.volume)
  const isMuted = useRoomState((state) => state.isMuted)
  const shown = isMuted ? 0 : volume
  const Icon = shown === 0 ? VolumeX : shown < 0.5 ? Volume1 : Volume2
  const change = (next: number) => {
    setVolume(next)
    if (isMuted && next > 0) setMuted(false)
  }
  return (
    <div className="flex max-w-56 items-center gap-1">
      <HintedButton
        size="sm"
        tone="plain"
        label={isMuted ? nowPlaying.unmute : nowPlaying.mute}
        aria-pressed={isMuted}
        onClick={() => setMuted(!isMuted)}
      >
        <Icon aria-hidden />
      </HintedButton>
      <Range
        label={nowPlaying.volume}
        max={1}
        step={volumeStep}
        value={shown}
        valueText={nowPlaying.volumeText(Math.round(shown * 100))}
        onInput={change}
      />
      <PauseHereButton />
    </div>
  )
}
