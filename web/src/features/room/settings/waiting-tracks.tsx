import { limits } from '@earshot/core/limits'
import type { RoomSettings } from '@earshot/core/protocol/entities'
import { useId } from 'react'
import { roomSettings as texts } from '../../../texts/room-settings.ts'
import { Select } from '../../../ui/controls/select.tsx'

type Limit = RoomSettings['waitingTracks']

/** Chooses how many tracks a member may have waiting (17.478). */
export function WaitingTracks({ value, onChange }: { value: Limit; onChange: (limit: Limit) => void }) {
  const id = useId()
  const choose = (chosen: string) =>
    onChange(limits.waitingTracks.find((limit) => String(limit) === chosen) ?? null)
  return (
    <div>
      <label htmlFor={id} className="text-sm font-medium">
        {texts.waitingTracks}
      </label>
      <p id={`${id}-hint`} className="mt-1 mb-2 text-sm text-pretty text-ink-muted">
        {texts.waitingTracksHint}
      </p>
      <Select
        id={id}
        aria-describedby={`${id}-hint`}
        value={value ?? ''}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">{texts.waitingTracksNone}</option>
        {limits.waitingTracks.map((limit) => (
          <option key={limit} value={limit}>
            {texts.waitingTracksMost(limit)}
          </option>
        ))}
      </Select>
    </div>
  )
}
