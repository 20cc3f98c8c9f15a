import { limits } from '@earshot/core/limits'
import type { ServerInvite } from '@earshot/core/protocol/admin-calls'
import { useQuery } from '@tanstack/react-query'
import { Ticket } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { serverInvitesQuery } from '../../api/admin.ts'
import { callApi } from '../../api/call-api.ts'
import { admin, adminInvites as texts } from '../../texts/admin.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/popups/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatDate } from '../../ui/music/format-time.ts'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { TryAgain } from '../../ui/controls/try-again.tsx'
import { LinkToCopy } from './link-to-copy.tsx'
import { useAdminAction } from './use-admin-action.ts'

/** Invites to the server: create, list and revoke them (16.33). */
export function InvitesPanel() {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <NewInvite />
      <Card title={admin.invites}>
        <InviteList />
      </Card>
    </div>
  )
}

function NewInvite() {
  const [note, setNote] = useState('')
  const [uses, setUses] = useState('1')
  const [days, setDays] = useState('14')
  const [givesLibraryAccess, setLibraryAccess] = useState(true)
  const { mutate, isPending, data, reset } = useAdminAction(
    (body: { note: string; uses: number; days: number; givesLibraryAccess: boolean }) =>
      callApi('POST /api/admin/invites', { body }),
  )
  const areUsesRight = isWithin(uses, limits.inviteUsesMax)
  const areDaysRight = isWithin(days, limits.serverInviteDaysMax)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!areUsesRight || !areDaysRight) return
    mutate({ note, uses: Number(uses), days: Number(days), givesLibraryAccess })
  }
  return (
    <Card title={texts.create}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-sm text-ink-muted">{texts.text}</p>
        <TextField
          label={texts.note}
          name="note"
          autoComplete="off"
          maxLength={limits.inviteNoteMaxLength}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <NumberField
            label={texts.uses}
            value={uses}
            error={areUsesRight ? null : texts.usesWrong}
            onChange={setUses}
          />
          <NumberField
            label={texts.days}
            value={days}
            error={areDaysRight ? null : texts.daysWrong}
            onChange={setDays}
          />
        </div>
        <Switch
          label={texts.library}
          hint={texts.libraryHint}
          isOn={givesLibraryAccess}
          onChange={setLibraryAccess}
        />
        <Button type="submit" tone="primary" isBusy={isPending}>
          {texts.create}
        </Button>
      </form>
      <Dialog isOpen={data !== undefined} onClose={reset} title={texts.linkTitle}>
        <LinkToCopy link={data?.link ?? ''} text={texts.linkText} />
      </Dialog>
    </Card>
  )
}

interface NumberFieldProps {
  label: string
  value: string
  error: string | null
  onChange: (value: string) => void
}

function NumberField({ onChange, ...field }: NumberFieldProps) {
  return (
    <TextField
      {...field}
      inputMode="numeric"
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function isWithin(text: string, max: number): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= max
}

function InviteList() {
  const { data: invites, isLoadingError, refetch } = useQuery(serverInvitesQuery)
  if (isLoadingError)
    return <TryAgain title={admin.loadFailed} text={admin.loadFailedText} onRetry={() => void refetch()} />
  if (!invites) return <Skeleton className="h-32 rounded-md" />
  if (invites.length === 0) return <EmptyState icon={Ticket} title={texts.none} text={texts.noneText} />
  return (
    <ul className="divide-y divide-line">
      {invites.map((invite) => (
        <InviteItem key={invite.id} invite={invite} />
      ))}
    </ul>
  )
}

function InviteItem({ invite }: { invite: ServerInvite }) {
  const { mutate, isPending } = useAdminAction((inviteId: string) =>
    callApi('DELETE /api/admin/invites/:inviteId', { params: { inviteId } }),
  )
  const note = invite.note === '' ? texts.untitled : invite.note
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium wrap-anywhere">{note}</p>
        <p className="mt-0.5 flex flex-wrap gap-x-4 text-sm text-ink-muted">
          <span>{texts.used(invite.uses, invite.maxUses)}</span>
          <span>{texts.expires(formatDate(invite.expiresAt))}</span>
        </p>
      </div>
      <Button isBusy={isPending} aria-label={texts.revokeOf(note)} onClick={() => mutate(invite.id)}>
        {texts.revoke}
      </Button>
    </li>
  )
}
