import { limits } from '@earshot/core/limits'
import type { Source } from '@earshot/core/protocol/entities'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Globe, Lock } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { hasCode } from '@earshot/core/protocol/errors'
import { createRoomSchema, type CreateRoomInput } from '@earshot/core/protocol/validation'
import { useNavigate } from 'react-router'
import { libraryOnly, profileQuery, sourcesQuery, pickSource } from '../../api/queries.ts'
import { sourceNames } from '../../texts/common.ts'
import { createRoom } from '../../texts/create-room.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ChoiceCards } from '../../ui/controls/choice-cards.tsx'
import { PasswordField } from '../../ui/controls/password-field.tsx'
import { SourceIcon } from '../../ui/music/source-badge.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { hasMouse, useFocusOnOpen } from '../../ui/popups/use-focus-on-open.ts'
import { callApi } from '../../api/call-api.ts'
import { timeoutWith } from '../../api/timed-fetch.ts'
import { unlockSound } from '../../engine/unlock-sound.ts'
import { errorTexts } from '../../texts/errors.ts'
import { notify, withdrawNotice } from '../../ui/notices/notify.ts'
import { useRoomDraft } from './use-room-draft.ts'

const privacyChoices = [
  { value: 'public', title: createRoom.public, text: createRoom.publicText, icon: <Globe aria-hidden /> },
  { value: 'private', title: createRoom.private, text: createRoom.privateText, icon: <Lock aria-hidden /> },
] as const

export function CreateRoomForm({ userId }: { userId: string }) {
  const { name, privacy, change, forget } = useRoomDraft(userId)
  const [password, setPassword] = useState('')
  const { source, sources, chooseSource } = usePreferredSource(userId)
  const nameInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  useFocusOnOpen(nameInput, hasMouse())
  const { fieldError, isBusy, submit } = useCreateRoom({
    onInvalid: (field) => (field === 'name' ? nameInput : passwordInput).current?.focus(),
    onCreated: forget,
  })
  const submitForm = (event: FormEvent) => {
    event.preventDefault()
    void submit({ name, isPublic: privacy === 'public', password, preferredSource: source })
  }
  return (
    <form noValidate onSubmit={submitForm} className="flex flex-col gap-7">
      <TextField
        ref={nameInput}
        label={createRoom.name}
        placeholder={createRoom.namePlaceholder}
        maxLength={limits.roomNameMaxLength}
        autoComplete="off"
        value={name}
        onChange={(event) => change({ name: event.target.value })}
        error={fieldError?.field === 'name' ? fieldError.text : null}
      />
      <ChoiceCards
        legend={createRoom.privacy}
        hint={createRoom.privacyHint}
        name="privacy"
        choices={privacyChoices}
        value={privacy}
        onChange={(next) => change({ privacy: next })}
      />
      {privacy === 'private' && (
        <PasswordField
          ref={passwordInput}
          label={createRoom.password}
          hint={createRoom.passwordHint}
          showLabel={createRoom.showPassword}
          hideLabel={createRoom.hidePassword}
          maxLength={limits.roomPasswordMaxLength}
          autoComplete="off"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={fieldError?.field === 'password' ? fieldError.text : null}
        />
      )}
      {sources.length > 1 && <SourceChoice sources={sources} value={source} onChange={chooseSource} />}
      <div>
        <Button type="submit" tone="primary" size="lg" isWide isBusy={isBusy}>
          {isBusy ? createRoom.submitting : createRoom.submit}
        </Button>
        <p className="mt-4 text-center text-xs text-balance text-ink-muted">{createRoom.note}</p>
      </div>
    </form>
  )
}

interface SourceChoiceProps {
  sources: readonly Source[]
  value: Source
  onChange: (source: Source) => void
}

/** Chooses the room's default source among those that work on this server (2.29c). */
function SourceChoice({ sources, value, onChange }: SourceChoiceProps) {
  return (
    <ChoiceCards
      legend={createRoom.source}
      hint={createRoom.sourceHint}
      name="source"
      value={value}
      onChange={onChange}
      choices={sources.map((source) => ({
        value: source,
        title: sourceNames[source],
        icon: <SourceIcon source={source} />,
      }))}
    />
  )
}

/** Returns the chosen source, by default the user's preference if it is available. */
function usePreferredSource(userId: string) {
  const [chosen, chooseSource] = useState<Source | null>(null)
  const { data: statuses = libraryOnly } = useQuery(sourcesQuery)
  const { data: profile } = useQuery(profileQuery(userId))
  const source = chosen ?? pickSource(statuses, profile?.preferred_source)
  const sources = statuses.filter((status) => status.available).map((status) => status.source)
  return { source, sources, chooseSource }
}

/** That the form failed: told no longer than until the next attempt. */
const topic = 'create-room'

type Field = 'name' | 'password'

const errors: Record<Field, { title: string; text: string }> = {
  name: { title: createRoom.nameRequiredTitle, text: createRoom.nameRequiredText },
  password: { title: createRoom.passwordRequiredTitle, text: createRoom.passwordRequiredText },
}

interface CreateRoomOptions {
  /** Receives the first invalid field. */
  onInvalid: (field: Field) => void
  onCreated: () => void
}

/** Validates the form (5.2), creates the room and opens it. */
function useCreateRoom({ onInvalid, onCreated }: CreateRoomOptions) {
  const [fieldError, setFieldError] = useState<{ field: Field; text: string } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const reject = (field: Field) => {
    setFieldError({ field, text: errors[field].text })
    notify({ kind: 'warning', topic, ...errors[field] })
    onInvalid(field)
  }
  const submit = async (input: CreateRoomInput) => {
    const checked = createRoomSchema.safeParse(input)
    if (!checked.success) return reject(checked.error.issues[0]?.path[0] === 'password' ? 'password' : 'name')
    setFieldError(null)
    withdrawNotice(topic)
    setBusy(true)
    unlockSound()
    try {
      const { id } = await callApi(
        'POST /api/rooms',
        { body: checked.data },
        { timeoutMs: timeoutWith(checked.data.password) },
      )
      onCreated()
      await queryClient.invalidateQueries({ queryKey: ['rooms'] })
      await navigate(`/room/${id}`)
    } catch (error) {
      setBusy(false)
      // The session is read, and the page leads to the sign-in.
      if (hasCode(error, 'unauthenticated')) return
      // Another attempt would not help whoever owns too many rooms.
      const isFull = hasCode(error, 'too_many_rooms')
      const text = isFull ? errorTexts.too_many_rooms : createRoom.failedText
      notify({ kind: 'error', topic, title: createRoom.failedTitle, text })
    }
  }
  return { fieldError, isBusy, submit }
}
