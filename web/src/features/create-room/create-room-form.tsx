import { limits } from '@earshot/core/limits'
import type { Source } from '@earshot/core/protocol/entities'
import { useQuery } from '@tanstack/react-query'
import { Globe, Lock } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { libraryOnly, profileQuery, sourcesQuery, pickSource } from '../../api/queries.ts'
import { sourceNames } from '../../texts/common.ts'
import { createRoom } from '../../texts/create-room.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { SourceIcon } from '../../ui/source-badge.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { hasMouse, useFocusOnOpen } from '../../ui/use-focus-on-open.ts'
import { useCreateRoom } from './use-create-room.ts'

const privacyChoices = [
  { value: 'public', title: createRoom.public, text: createRoom.publicText, icon: <Globe aria-hidden /> },
  { value: 'private', title: createRoom.private, text: createRoom.privateText, icon: <Lock aria-hidden /> },
] as const

export function CreateRoomForm({ userId }: { userId: string }) {
  const [name, setName] = useState('')
  const [privacy, setPrivacy] = useState<'public' | 'private'>(limits.newRoomIsPublic ? 'public' : 'private')
  const [password, setPassword] = useState('')
  const { source, sources, chooseSource } = usePreferredSource(userId)
  const nameInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  useFocusOnOpen(nameInput, hasMouse())
  const { fieldError, isBusy, submit } = useCreateRoom((field) =>
    (field === 'name' ? nameInput : passwordInput).current?.focus(),
  )
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
        onChange={(event) => setName(event.target.value)}
        error={fieldError?.field === 'name' ? fieldError.text : null}
      />
      <ChoiceCards
        legend={createRoom.privacy}
        name="privacy"
        choices={privacyChoices}
        value={privacy}
        onChange={setPrivacy}
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
      isStacked
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
