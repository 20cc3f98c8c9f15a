import { UserPlus } from 'lucide-react'
import { invite as texts } from '../../texts/room.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/popups/dialog.tsx'
import { onDemand } from '../../ui/loading/on-demand.tsx'
import type { InviteProps } from './invite-link.tsx'
import { LoadingLink } from './loading-link.tsx'

const InviteLink = onDemand<InviteProps>(
  async () => (await import('./invite-link.tsx')).InviteLink,
  <LoadingLink />,
)

/** Whether the dialog is open, which others may open too. */
export interface InviteState {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Opens the dialog with the link to the room. */
export function Invite({ isOpen, onOpenChange, ...props }: InviteProps & InviteState) {
  return (
    <>
      <Button size="sm" onClick={() => onOpenChange(true)}>
        <UserPlus aria-hidden className="size-4 tight:pointer-coarse:hidden" />
        <span className="tight:pointer-fine:sr-only">{texts.open}</span>
      </Button>
      <Dialog isOpen={isOpen} onClose={() => onOpenChange(false)} title={texts.title}>
        <InviteLink {...props} />
      </Dialog>
    </>
  )
}
