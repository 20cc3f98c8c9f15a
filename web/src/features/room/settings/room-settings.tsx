import type { Room } from '@earshot/core/protocol/entities'
import { Settings } from 'lucide-react'
import { useState } from 'react'
import { common } from '../../../texts/common.ts'
import { roomSettings as texts } from '../../../texts/room-settings.ts'
import { Dialog } from '../../../ui/popups/dialog.tsx'
import { HintedButton } from '../../../ui/controls/hinted-button.tsx'
import { onDemand } from '../../../ui/loading/on-demand.tsx'
import { Skeleton } from '../../../ui/loading/skeleton.tsx'
import { useRoomState } from '../use-room.ts'
import type { SettingsDraft } from './settings-form.tsx'

const OwnerSettings = onDemand(
  async () => (await import('./settings-form.tsx')).OwnerSettings,
  <output aria-label={common.loading} className="flex flex-col gap-6">
    <Skeleton className="h-12 w-full rounded-md" />
    <Skeleton className="h-48 w-full rounded-md" />
  </output>,
)

/**
 * Opens the owner's settings of the room. Changes that were not saved are there again when they are reopened.
 * Settings that are open when the room gets another owner say so.
 */
export function RoomSettings({ room }: { room: Room }) {
  const isOwner = useRoomState((state) => state.isOwner)
  const [isOpen, setOpen] = useState(false)
  const [draft, setDraft] = useState<SettingsDraft>({})
  return (
    <>
      {isOwner && (
        <HintedButton size="sm" label={texts.open} onClick={() => setOpen(true)}>
          <Settings aria-hidden />
        </HintedButton>
      )}
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={texts.title}>
        {isOwner ? (
          <OwnerSettings room={room} draft={draft} onChange={setDraft} onSaved={() => setOpen(false)} />
        ) : (
          <p role="alert" dir="auto" className="wrap-anywhere">
            {texts.handedOver(room.owner.username)}
          </p>
        )}
      </Dialog>
    </>
  )
}
