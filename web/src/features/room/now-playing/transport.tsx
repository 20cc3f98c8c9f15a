import { limits } from '@earshot/core/limits'
import { Pause, Play, SkipBack, SkipForward, Volume1, Volume2, VolumeX } from 'lucide-react'
import { nowPlaying } from '../../../texts/now-playing.ts'
import { joinClasses } from '../../../ui/class-names.ts'
import { HintedButton } from '../../../ui/controls/hinted-button.tsx'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { Range } from '../../../ui/controls/range.tsx'
import { useControlsHint } from '../use-controls-hint.ts'
import { useRoomCommand } from '../use-room-command.ts'
import { useRoomActions, useRoomState } from '../use-room.ts'
import { VoteButton, useMayVote } from './skip-votes.tsx'

/** Shows the playback buttons, disabled for members without the controls (2.23c), who may vote in place of Next (17.470). */
export function PlaybackButtons({ className }: { className?: string }) {
  const { previous, next } = useRoomActions()
  const run = useRoomCommand()
  const hasTrack = useRoomState((state) => state.track !== null)
  const hasNext = useRoomState((state) => state.queue.some((entry) => !entry.isPending))
  const hint = useControlsHint()
  const mayControl = hint === undefined
  const mayVote = useMayVote()
  return (
    <div dir="ltr" className={joinClasses('flex items-center gap-1 sm:gap-2 slim:gap-0', className)}>
      <HintedButton
        tone="plain"
        label={nowPlaying.previous}
        hint={hint ?? nowPlaying.previousHint(limits.previousRestartMs / 1_000)}
        isDisabled={!mayControl || !hasTrack}
        onClick={() => run(previous)}
      >
        <SkipBack aria-hidden fill="currentColor" />
      </HintedButton>
      <PlayButton size="lg" />
      {mayVote ? (
        <VoteButton />
      ) : (
        <HintedButton
          tone="plain"
          label={nowPlaying.next}
          hint={hint}
          isDisabled={!mayControl || !(hasTrack || hasNext)}
          onClick={() => run(next)}
        >
          <SkipForward aria-hidden fill="currentColor" />
        </HintedButton>
      )}
    </div>
  )
}

/** Plays or pauses the room; disabled for members without the controls. */
export function PlayButton({ size }: { size: 'md' | 'lg' }) {
  const { play, pause } = useRoomActions()
  const run = useRoomCommand()
  const isPlaying = useRoomState((state) => state.isPlayingOrCued)
  const hasTrack = useRoomState((state) => state.track !== null)
  const hint = useControlsHint()
  const Icon = isPlaying ? Pause : Play
  return (
    <HintedButton
      tone="primary"
      size={size}
      label={isPlaying ? nowPlaying.pause : nowPlaying.play}
      hint={hint}
      isDisabled={hint !== undefined || !hasTrack}
      onClick={() => run(isPlaying ? pause : play)}
    >
      <Icon aria-hidden fill="currentColor" className={isPlaying ? '' : 'translate-x-[6%]'} />
    </HintedButton>
  )
}

const volumeStep = 0.05

/**
 * In a narrow window the slider comes over the button, for pointers and keys; a phone has buttons for the volume. It is
 * transparent, not hidden, before: the focus could not move to it.
 */
const overButton =
  'max-md:pointer-events-none max-md:absolute max-md:bottom-full max-md:left-1/2 max-md:w-40 max-md:-translate-x-1/2 max-md:pb-2 max-md:opacity-0 max-md:group-hover:pointer-events-auto max-md:group-hover:opacity-100 max-md:group-active:opacity-100 max-md:group-has-focus-visible:opacity-100 max-md:pointer-coarse:hidden'

/** Sets the volume of this device, or stops its sound. */
export function VolumeControl() {
  const { setVolume, setMuted } = useRoomActions()
  const volume = useRoomState((state) => state.volume)
  const isMuted = useRoomState((state) => state.isMuted)
  const shown = isMuted ? 0 : volume
  const Icon = shown === 0 ? VolumeX : shown < 0.5 ? Volume1 : Volume2
  const label = isMuted ? nowPlaying.unmute : nowPlaying.mute
  const change = (next: number) => {
    setVolume(next)
    if (isMuted && next > 0) setMuted(false)
  }
  return (
    <div dir="ltr" className="group relative flex items-center gap-1">
      <IconButton
        size="sm"
        tone="plain"
        label={label}
        // Not as a tooltip, which would lie over the slider.
        title={label}
        aria-pressed={isMuted}
        onClick={() => setMuted(!isMuted)}
      >
        <Icon aria-hidden />
      </IconButton>
      <div className={`w-24 xl:w-32 ${overButton}`}>
        <div className="max-md:rounded-full max-md:bg-raised max-md:px-4 max-md:py-1.5 max-md:shadow-lift">
          <Range
            label={nowPlaying.volume}
            max={1}
            step={volumeStep}
            value={shown}
            valueText={nowPlaying.volumeText(Math.round(shown * 100))}
            onInput={change}
          />
        </div>
      </div>
    </div>
  )
}
