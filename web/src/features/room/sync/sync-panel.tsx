import { type DeviceFacts, isLatencyUnknown } from '@earshot/core/diagnosis/facts'
import type { Track } from '@earshot/core/protocol/entities'
import type { RoomState } from '../../../engine/state/room-state.ts'
import { syncPanel } from '../../../texts/now-playing.ts'
import { people } from '../../../texts/people.ts'
import { room as roomTexts } from '../../../texts/room.ts'
import { describeSync } from '../describe-sync.ts'
import { DiagnoseButton } from '../diagnose-button.tsx'
import { describeUnplayable, useUnplayableReason } from '../playability.tsx'
import { useRoomState, useRoomVisit } from '../use-room.ts'
import { LoudnessSwitch } from './loudness-switch.tsx'
import { NudgeControl } from './nudge-control.tsx'

export interface SyncPanelProps {
  /** The track that this listener hears. */
  heard: Track
  onDiagnose: () => void
}

/** Shows the sync of this listener, with its cause, and of the room; below are the diagnosis and this device's settings of the sound. */
export function SyncPanel({ heard, onDiagnose }: SyncPanelProps) {
  const sync = useRoomState((state) => state.sync)
  const roomSync = useRoomState((state) => state.roomSync)
  const { player } = useRoomVisit()
  return (
    <>
      <p className="mt-2 text-sm text-pretty text-ink-muted">{useCause()}</p>
      <SyncFigures sync={sync} roomSync={roomSync} device={player.device()} />
      <DiagnoseButton onDiagnose={onDiagnose} className="mb-4" />
      <NudgeControl source={heard.source} />
      {heard.source === 'library' && <LoudnessSwitch track={heard} />}
    </>
  )
}

/** Says in plain words why this listener is in sync, or not. */
function useCause(): string {
  const { cause } = useRoomState((state) => state.sync)
  const connection = useRoomState((state) => state.connection)
  const reason = useUnplayableReason(useRoomState((state) => state.track?.id ?? ''))
  if (connection === 'disabled') return roomTexts.connectionDisabled
  if (connection !== 'connected') return roomTexts.reconnecting
  return cause === 'unplayable' && reason ? describeUnplayable(reason).title : people.causes[cause]
}

interface SyncFiguresProps extends Pick<RoomState, 'sync' | 'roomSync'> {
  device: DeviceFacts | null
}

/** Shows what this listener and the room are in sync within, and what of it cannot be measured. */
export function SyncFigures({ sync, roomSync, device }: SyncFiguresProps) {
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
      {isLatencyUnknown(device) && <p className="mb-4 text-xs text-ink-muted">{syncPanel.latencyUnknown}</p>}
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
