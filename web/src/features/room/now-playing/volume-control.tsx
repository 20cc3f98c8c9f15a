import { Volume1, Volume2, VolumeX } from 'lucide-react'
import { nowPlaying } from '../../../texts.ts'
import { HintedButton } from '../../../ui/hinted-button.tsx'
import { Range } from '../../../ui/range.tsx'
import { useRoomActions, useRoomState } from '../use-room.ts'

const step = 0.05

/** How loud it is here; nobody else hears a difference. */
export function VolumeControl() {
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
    <div className="flex max-w-44 items-center gap-1">
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
        step={step}
        value={shown}
        valueText={nowPlaying.volumeText(Math.round(shown * 100))}
        onInput={change}
      />
    </div>
  )
}
