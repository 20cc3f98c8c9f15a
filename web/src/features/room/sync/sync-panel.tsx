import type { Source } from '@earshot/core/protocol/entities'
import { syncPanel as texts } from '../../../texts.ts'
import { NudgeControl } from './nudge-control.tsx'
import { describeSync } from '../describe-sync.ts'
import { useRoomState } from '../use-room.ts'

/** How this listener and the room are in sync, and what a listener can do about the own sound. */
export function SyncPanel({ source }: { source: Source }) {
  const { errorMs, cause } = useRoomState((state) => state.sync)
  const { p50Ms, p95Ms } = useRoomState((state) => state.roomSync)
  return (
    <>
      <dl className="my-4 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 text-sm">
        <Figure name={texts.own} value={describeSync(cause, errorMs)} />
        <Figure name={texts.half} value={describeBound(p50Ms)} />
        <Figure name={texts.nearlyAll} value={describeBound(p95Ms)} />
      </dl>
      <NudgeControl source={source} />
    </>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-ink-muted">{name}</dt>
      <dd className="text-right font-medium tabular-nums">{value}</dd>
    </>
  )
}

const describeBound = (ms: number | null): string => (ms === null ? texts.unknown : texts.within(ms))
