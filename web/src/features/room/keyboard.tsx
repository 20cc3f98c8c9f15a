import { keyboard } from '../../texts.ts'
import { Dialog } from '../../ui/dialog.tsx'

/** The keys of the room, on one sheet. */
export function KeyboardSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={keyboard.title}>
      <dl className="flex flex-col gap-3">
        {keyboard.keys.map(({ key, does }) => (
          <div key={key} className="flex items-center justify-between gap-6">
            <dt className="order-last">
              <kbd className="inline-grid h-8 min-w-8 place-items-center rounded-sm bg-raised px-2.5 font-sans text-sm font-medium ring-1 ring-line ring-inset">
                {key}
              </kbd>
            </dt>
            <dd className="text-ink-muted">{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
