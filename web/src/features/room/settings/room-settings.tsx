import type { Room } from '@earshot/core/protocol/entities'
import { Settings } from 'lucide-react'
import { useState } from 'react'
import { common } from '../../../texts/common.ts'
import { roomSettings as texts } from '../../../texts/room-settings.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { HintedButton } from '../../../ui/hinted-button.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { SettingsDraft } from './settings-form.tsx'

const SettingsForm = onDemand(
  async () => (await import('./settings-form.tsx')).SettingsForm,
  <output aria-label={common.loading} className="flex flex-col gap-6">
    <Skeleton className="h-12 w-full rounded-md" />
    <Skeleton className="h-48 w-full rounded-md" />
  </output>,
)
const OwnerActions = onDemand(async () => (await import('./owner-actions.tsx')).OwnerActions)

/** Opens the owner's settings of the room. What was changed and not saved is there again when they are reopened. */
export function RoomSettings({ room }: { room: Room }) {
  const [isOpen, setOpen] = useState(false)
  const [draft, setDraft] = useState<SettingsDraft>({})
  return (
    <>
      <HintedButton size="sm" label={texts.open} onClick={() => setOpen(true)}>
        <Settings aria-hidden />
      </HintedButton>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={texts.title}>
        <SettingsForm room={room} draft={draft} onChange={setDraft} onSaved={() => setOpen(false)} />
        <OwnerActions room={room} />
      </Dialog>
    </>
  )
}
