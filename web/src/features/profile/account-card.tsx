import { limits } from '@earshot/core/limits'
import type { Profile } from '@earshot/core/protocol/entities'
import { LogOut, Pencil } from 'lucide-react'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { profile as texts } from '../../texts/profile.ts'
import { saveDisplayName } from '../../api/account.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/card.tsx'
import { notify } from '../../ui/notices/notify.ts'
import { TextField } from '../../ui/controls/text-field.tsx'
import { useLogOut } from '../../ui/page/use-log-out.ts'
import { PictureButtons } from './picture-buttons.tsx'
import { useSaveProfile } from './use-save-profile.ts'

const avatarPx = 72

/** Shows who is signed in; the display name is viewed or edited (2.31b, 4.24), and the picture chosen. */
export function AccountCard({ profile }: { profile: Profile }) {
  const [isEditing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  useEffect(() => {
    if (wasEditing.current && !isEditing) editButton.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])
  const logOut = useLogOut()
  return (
    <Card title={texts.account}>
      <div className="flex items-center gap-4">
        <Avatar name={profile.username} url={profile.avatar_url} size={avatarPx} />
        <dl className="min-w-0 flex-1">
          {!isEditing && (
            <>
              <dt className="sr-only">{texts.displayName}</dt>
              <dd className="text-xl font-semibold wrap-anywhere">{profile.username}</dd>
            </>
          )}
          <dt className="sr-only">{texts.email}</dt>
          <dd className="text-sm wrap-anywhere text-ink-muted">{profile.email}</dd>
        </dl>
      </div>
      {isEditing && <NameForm profile={profile} onClose={() => setEditing(false)} />}
      <div className="mt-5 flex flex-wrap gap-3">
        {!isEditing && (
          <Button ref={editButton} aria-label={texts.editName} onClick={() => setEditing(true)}>
            <Pencil aria-hidden className="size-4" />
            {texts.edit}
          </Button>
        )}
        <PictureButtons profile={profile} />
        <Button tone="quiet" onClick={() => void logOut()}>
          <LogOut aria-hidden className="size-4" />
          {texts.logOut}
        </Button>
      </div>
    </Card>
  )
}

const nameTopic = 'display-name'

/** Keeps the draft where saving fails. */
function NameForm({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const [draft, setDraft] = useState(profile.username)
  const [error, setError] = useState<string | null>(null)
  const { mutate, isPending } = useSaveProfile(nameTopic, profile.id, saveDisplayName)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const name = draft.trim()
    const problem = findProblem(name)
    setError(problem)
    if (problem !== null) return field.current?.focus()
    mutate(name, {
      onSuccess: () => {
        notify({ kind: 'success', topic: nameTopic, title: texts.updated })
        onClose()
      },
    })
  }
  return (
    <form noValidate onSubmit={submit} className="mt-5 flex flex-col gap-4">
      <TextField
        onKeyDown={(event) => {
          // Of an input method, it only ends the composition.
          if (event.key === 'Escape' && !event.nativeEvent.isComposing) onClose()
        }}
        ref={field}
        label={texts.displayName}
        name="display-name"
        autoComplete="nickname"
        maxLength={limits.displayNameMaxLength}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        error={error}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" tone="primary" isBusy={isPending}>
          {isPending ? texts.saving : texts.save}
        </Button>
        <Button tone="quiet" onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  )
}

function findProblem(name: string): string | null {
  if (name === '') return texts.nameRequired
  return name.length > limits.displayNameMaxLength ? texts.nameTooLong : null
}
