import { useStore } from 'zustand'
import { evenLoudness, switchEvenLoudness } from '../../../engine/device/device-settings.ts'
import { loudness as texts } from '../../../texts/now-playing.ts'
import { Switch } from '../../../ui/controls/switch.tsx'

/** Brings the tracks of the library to one loudness on this device, or plays them as they are. */
export function LoudnessSwitch() {
  const { isOn } = useStore(evenLoudness)
  return (
    <div className="mt-4 border-t border-line pt-4">
      <Switch label={texts.label} hint={texts.hint} isOn={isOn} onChange={switchEvenLoudness} />
    </div>
  )
}
