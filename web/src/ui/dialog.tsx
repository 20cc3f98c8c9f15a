import { useState } from 'react'
import { codeOnDemand } from './code-on-demand.ts'
import type { DialogProps } from './dialog-popup.tsx'

const usePopup = codeOnDemand(async () => (await import('./dialog-popup.tsx')).DialogPopup)

/** A modal dialog; Escape, the backdrop and its button close it, and the focus returns to where it was. */
export function Dialog(props: DialogProps) {
  // Once open, it stays, so that it can fade out.
  const [wasOpen, setWasOpen] = useState(props.isOpen)
  if (props.isOpen && !wasOpen) setWasOpen(true)
  const Popup = usePopup(wasOpen, props.onClose)
  return Popup && <Popup {...props} />
}
