import { Stethoscope } from 'lucide-react'
import { people } from '../../texts/people.ts'
import { Button } from '../../ui/controls/button.tsx'

interface DiagnoseButtonProps {
  onDiagnose: () => void
  className: string
}

/** Runs the diagnosis of the viewer's own sound. */
export function DiagnoseButton({ onDiagnose, className }: DiagnoseButtonProps) {
  return (
    <Button size="sm" className={className} onClick={onDiagnose}>
      <Stethoscope aria-hidden className="size-4" />
      {people.diagnose}
    </Button>
  )
}
