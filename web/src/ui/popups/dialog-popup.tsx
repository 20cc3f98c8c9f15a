import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { common } from '../../texts/common.ts'
import { useCloseWatcher } from './close-watcher.ts'
import { useFinalFocus } from './final-focus.ts'
import { useRootMark } from '../page/root-mark.ts'

export interface DialogProps {
  isOpen: boolean
  onClose: () => void
  title: string
  children: ReactNode
}

/** The content of a dialog, over the page. */
export function DialogPopup({ isOpen, onClose, title, children }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  const finalFocus = useFinalFocus(isOpen, popup)
  useRootMark('dialog', isOpen)
  useCloseWatcher(isOpen, onClose)
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-shade backdrop-blur-sm transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDialog.Popup
          ref={popup}
          finalFocus={finalFocus}
          className="fixed top-1/2 left-1/2 z-50 max-h-[85dvh] w-[min(26rem,calc(100%-2rem))] -translate-1/2 overflow-y-auto rounded-xl bg-surface p-6 shadow-lift ring-1 ring-line transition duration-150 ring-inset data-ending-style:scale-97 data-ending-style:opacity-0 data-starting-style:scale-97 data-starting-style:opacity-0"
        >
          <div className="mb-5 flex items-center justify-between gap-4">
            <BaseDialog.Title className="min-w-0 text-xl font-semibold wrap-anywhere">
              {title}
            </BaseDialog.Title>
            <BaseDialog.Close
              aria-label={common.close}
              className="grid size-9 shrink-0 place-items-center rounded-full text-ink-muted hover:bg-raised hover:text-ink pointer-coarse:size-11"
            >
              <X aria-hidden className="size-5" />
            </BaseDialog.Close>
          </div>
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
