import { UserPlus } from 'lucide-react'
import { common } from '../../texts/common.ts'
import { invite as texts } from '../../texts/room.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { InviteProps } from './invite-link.tsx'

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
        <UserPlus aria-hidden className="size-4" />
        {texts.open}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => onOpenChange(false)} title={texts.title}>
        <InviteLink {...props} />
      </Dialog>
    </>
  )
}

/** The place of the link until it is there. */
export function LoadingLink() {
  return (
    <output aria-label={common.loading} className="flex flex-col gap-4">
      <Skeleton className="h-5 w-4/5" />
      <Skeleton className="h-11 w-full rounded-full" />
      <Skeleton className="mx-auto size-48" />
    </output>
  )
}
