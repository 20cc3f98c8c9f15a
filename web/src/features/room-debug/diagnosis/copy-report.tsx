import { ClipboardCopy } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { diagnosis as texts } from '../../../texts/diagnosis.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { notify } from '../../../ui/notices/notify.ts'

/** Copies the report to the clipboard, or shows it for copying by hand (2.37d). */
export function CopyReport({ report }: { report: string }) {
  const [isManual, setManual] = useState(false)
  const copy = async () => {
    try {
      // Insecure origins have no clipboard; this throws there.
      await navigator.clipboard.writeText(report)
      notify({ kind: 'success', title: texts.copied, text: texts.copiedText })
    } catch {
      setManual(true)
    }
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <Button size="sm" onClick={() => void copy()}>
        <ClipboardCopy aria-hidden className="size-4" />
        {texts.copy}
      </Button>
      {isManual && <ReportText report={report} />}
    </div>
  )
}

function ReportText({ report }: { report: string }) {
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => box.current?.select(), [])
  return (
    <div className="w-full">
      <label htmlFor={id} className="mb-2 block text-sm font-medium">
        {texts.report}
      </label>
      <textarea
        ref={box}
        id={id}
        aria-describedby={`${id}-hint`}
        readOnly
        value={report}
        rows={10}
        className="w-full resize-y rounded-md bg-page p-3 text-xs ring-1 ring-edge outline-none ring-inset focus-visible:ring-2 focus-visible:ring-brand-text"
      />
      <p id={`${id}-hint`} className="mt-2 text-sm text-ink-muted">
        {texts.copyByHand}
      </p>
    </div>
  )
}
