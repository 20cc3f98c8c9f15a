import { partOnDemand } from '../loading/part-on-demand.tsx'
import type { DialogProps } from './dialog-popup.tsx'

const DialogPopup = partOnDemand(async () => (await import('./dialog-popup.tsx')).DialogPopup, {
  isPopup: true,
})

/** A modal dialog; Escape, the backdrop and its button close it, and the focus returns to where it was. */
export function Dialog(props: DialogProps) {
  return <DialogPopup isWanted={props.isOpen} onGivenUp={props.onClose} {...props} />
}
