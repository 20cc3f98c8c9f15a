import type { Source } from '@earshot/core/protocol/entities'
import type { RoomState } from '../../../engine/state/room-state.ts'
import { syncPanel } from '../../../texts/now-playing.ts'
import { describeSync } from '../describe-sync.ts'
import { useRoomState } from '../use-room.ts'
import { NudgeControl } from './nudge-control.tsx'

export interface SyncPanelProps {
  source: Source
}

/** Shows the sync of this listener and of the room, with the nudge below. */
export function SyncPanel({ source }: SyncPanelProps) {
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
