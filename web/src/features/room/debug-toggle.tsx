import { Bug } from 'lucide-react'
import { useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { readStored, writeStored } from '../../storage.ts'
import { common } from '../../texts/common.ts'
import { debugTools as texts } from '../../texts/debug-tools.ts'
import { HintedButton } from '../../ui/controls/hinted-button.tsx'
import { scrollBehaviour } from '../../ui/page/media-query.ts'
import { onDemand } from '../../ui/loading/on-demand.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { CardBoundary } from './card-boundary.tsx'
import { useRoomVisit } from './use-room.ts'

export interface DebugToolsState {
  isOpen: boolean
  panelId: string
  /** How often a diagnosis was asked for since they were last opened or closed by their button. */
  diagnoses: number
  toggle: () => void
  /** Opens them and runs the diagnosis. */
  diagnose: () => void
}

/** Returns whether the debug tools are shown, for their button and their panel. */
export function useDebugTools(): DebugToolsState {
  const [isOpen, setOpen] = useState(readDebugToolsOpen)
  const [diagnoses, setDiagnoses] = useState(0)
  const panelId = useId()
  const change = (isOpenNext: boolean, diagnosesNext: number) => {
    writeDebugToolsOpen(isOpenNext)
    flushSync(() => {
      setOpen(isOpenNext)
      setDiagnoses(diagnosesNext)
    })
    document.getElementById(panelId)?.scrollIntoView({ behavior: scrollBehaviour() })
  }
  return {
    isOpen,
    panelId,
    diagnoses,
    toggle: () => change(!isOpen, 0),
    diagnose: () => change(true, diagnoses + 1),
  }
}

/** Shows and hides the debug tools (2.22c). */
export function DebugToggle({ isOpen, panelId, toggle }: DebugToolsState) {
  return (
    <HintedButton
      size="sm"
      label={isOpen ? texts.hide : texts.show}
      aria-expanded={isOpen}
      aria-controls={isOpen ? panelId : undefined}
      onClick={toggle}
    >
      <Bug aria-hidden />
    </HintedButton>
  )
}

/** Loads when it is first shown. A failure keeps the room on the page: they are needed most while the server is unreachable. */
const DebugTools = onDemand(
  // oxlint-disable-next-line no-restricted-imports -- The debug tools' only entry.
  async () => (await import('../room-debug/debug-tools.tsx')).DebugTools,
  <output aria-label={common.loading}>
    <Skeleton className="h-64 rounded-xl" />
  </output>,
)

/** Shows the debug tools, below the stage. */
export function DebugPanel({ isOpen, panelId, diagnoses }: DebugToolsState) {
  const room = useRoomVisit()
  if (!isOpen) return null
  return (
    <div
      id={panelId}
      className="relative min-w-0 p-4 [grid-area:debug] sm:p-6 beside:max-h-[45dvh] beside:overflow-y-auto beside:border-t beside:border-line"
    >
      <CardBoundary title={texts.region}>
        <DebugTools room={room} diagnoses={diagnoses} />
      </CardBoundary>
    </div>
  )
}

const storageKey = 'debugTools:v1'

/** Whether the debug tools are open in this tab; survives a reload and a change of room. */
export const readDebugToolsOpen = (): boolean => readStored('tab', storageKey) === 'open'

/** Remembers whether the debug tools are open in this tab. */
export function writeDebugToolsOpen(isOpen: boolean): void {
  writeStored('tab', storageKey, isOpen ? 'open' : 'closed')
}
