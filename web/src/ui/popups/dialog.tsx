import { useState } from 'react'
import { partOnDemand } from '../loading/part-on-demand.tsx'
import type { DialogProps } from './dialog-popup.tsx'

const DialogPopup = partOnDemand(async () => (await import('./dialog-popup.tsx')).DialogPopup)

/** A modal dialog; Escape, the backdrop and its button close it, and the focus returns to where it was. */
export function Dialog(props: DialogProps) {
  // Once open, it stays, so that it can fade out.
  const [wasOpen, setWasOpen] = useState(props.isOpen)
  if (props.isOpen && !wasOpen) setWasOpen(true)
  return <DialogPopup isWanted={wasOpen} onFailed={props.onClose} {...props} />
}
