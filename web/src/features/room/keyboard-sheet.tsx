import { keyboard } from '../../texts/room.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { onDemand } from '../../ui/on-demand.tsx'

const ShortcutList = onDemand(async () => (await import('./shortcut-list.tsx')).ShortcutList)

/** The dialog with the keyboard shortcuts. */
export function KeyboardSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={keyboard.title}>
      <ShortcutList />
    </Dialog>
  )
}
