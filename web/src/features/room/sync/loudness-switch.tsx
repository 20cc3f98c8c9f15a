import type { Track } from '@earshot/core/protocol/entities'
import { useStore } from 'zustand'
import { evenLoudness, switchEvenLoudness } from '../../../engine/device/device-settings.ts'
import { loudness as texts } from '../../../texts/now-playing.ts'
import { Switch } from '../../../ui/controls/switch.tsx'

/** Brings the tracks of the library to one loudness on this device, or plays them as they are; shows what that does to one. */
export function LoudnessSwitch({ track }: { track: Pick<Track, 'id' | 'gain_db'> }) {
  const { isOn, latest } = useStore(evenLoudness)
  return (
    <div className="mt-4 border-t border-line pt-4">
      <Switch label={texts.label} hint={texts.hint} isOn={isOn} onChange={switchEvenLoudness} />
      <div className="mt-2 text-sm text-ink-muted tabular-nums">
        {latest?.trackId === track.id && <p>{texts.gain(isOn ? latest.gainDb : 0)}</p>}
        {track.gain_db === undefined && <p>{texts.unstated}</p>}
      </div>
    </div>
  )
}
