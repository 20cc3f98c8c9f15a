import { limits } from '@earshot/core/limits'
import { Globe, Lock } from 'lucide-react'
import { useRef, useState, type FormEvent } from 'react'
import { createRoom } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { SourceChoice } from './source-choice.tsx'
import { useCreateRoom } from './use-create-room.ts'
import { usePreferredSource } from './use-preferred-source.ts'

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
  const { fault, isBusy, submit } = useCreateRoom((field) =>
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
        error={fault?.field === 'name' ? fault.text : null}
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
          error={fault?.field === 'password' ? fault.text : null}
        />
      )}
      <SourceChoice sources={sources} value={source} onChange={chooseSource} />
      <div>
        <Button type="submit" tone="primary" size="lg" isWide isBusy={isBusy}>
          {isBusy ? createRoom.submitting : createRoom.submit}
        </Button>
        <p className="mt-4 text-center text-xs text-balance text-ink-muted">{createRoom.note}</p>
      </div>
    </form>
  )
}
