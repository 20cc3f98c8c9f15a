import { Bug } from 'lucide-react'
import { useId, useState } from 'react'
import { debugTools as texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { readDebugMark, writeDebugMark } from './debug-mark.ts'
import { DebugToolsOnDemand } from './debug-tools-on-demand.tsx'

/** Shows and hides the debug tools (2.22c). */
export function DebugToggle() {
  const [isOpen, setOpen] = useState(readDebugMark)
  const panelId = useId()
  const toggle = () => {
    writeDebugMark(!isOpen)
    setOpen(!isOpen)
  }
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Button
        tone="quiet"
        size="sm"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={toggle}
        className="self-start"
      >
        <Bug aria-hidden className="size-4" />
        {isOpen ? texts.hide : texts.show}
      </Button>
      {isOpen && (
        <div id={panelId} className="min-w-0">
          <DebugToolsOnDemand />
        </div>
      )}
    </div>
  )
}
