import { limits } from '@earshot/core/limits'
import type { Source } from '@earshot/core/protocol/entities'
import { Minus, Plus } from 'lucide-react'
import { nudge as texts } from '../../../texts/now-playing.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { useRoomActions, useRoomState } from '../use-room.ts'

const { nudgeStepMs, nudgeMaxMs } = limits

/** Shifts this device's sound by ear, for delays that browsers cannot measure: wireless headphones, a TV. */
export function NudgeControl({ source }: { source: Source }) {
  const { setNudge } = useRoomActions()
  const nudgeMs = useRoomState((state) => state.nudgesMs[source])
  const change = (stepMs: number) => setNudge(source, nudgeMs + stepMs)
  return (
    <fieldset>
      <legend className="sr-only">{texts.label}</legend>
      <div className="flex flex-wrap items-center gap-x-2">
        <span className="flex-1 text-sm font-medium" aria-hidden>
          {texts.label}
        </span>
        <div className="-mx-2 flex items-center gap-2">
          <IconButton
            size="sm"
            label={texts.earlier(nudgeStepMs)}
            isDisabled={nudgeMs <= -nudgeMaxMs}
            onClick={() => change(-nudgeStepMs)}
          >
            <Minus aria-hidden />
          </IconButton>
          <output className="min-w-24 text-center text-sm tabular-nums">
            {nudgeMs === 0 ? texts.none : texts.value(nudgeMs)}
          </output>
          <IconButton
            size="sm"
            label={texts.later(nudgeStepMs)}
            isDisabled={nudgeMs >= nudgeMaxMs}
            onClick={() => change(nudgeStepMs)}
          >
            <Plus aria-hidden />
          </IconButton>
        </div>
      </div>
      <p className="mt-2 text-xs text-ink-muted">{texts.hint}</p>
      {nudgeMs !== 0 && (
        <Button size="sm" className="mt-3" onClick={() => setNudge(source, 0)}>
          {texts.reset}
        </Button>
      )}
    </fieldset>
  )
}
