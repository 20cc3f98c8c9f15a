import { limits } from '@earshot/core/limits'
import { DoorClosed } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Link } from 'react-router'
import { createRoom, errorTexts, room } from '../../texts.ts'
import { Button, buttonLook } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { useRoomActions, useRoomState } from './use-room.ts'

/** No such room, or one that the viewer may not see (2.19); a private one can be joined with its password. */
export function RoomNotFound() {
  const joinError = useRoomState((state) => state.joinError)
  const asksPassword = joinError === 'password_required' || joinError === 'wrong_password'
  return (
    <section className="mx-auto flex min-h-[70dvh] max-w-104 flex-col items-center justify-center py-10 text-center">
      <span className="grid size-16 place-items-center rounded-full bg-surface text-ink-muted ring-1 ring-line ring-inset">
        <DoorClosed aria-hidden className="size-7" />
      </span>
      <h1 className="mt-6 text-2xl font-semibold tracking-tight">{room.notFoundTitle}</h1>
      <p className="mt-2 text-balance text-ink-muted">{room.notFoundText}</p>
      {asksPassword && <PasswordForm isWrong={joinError === 'wrong_password'} />}
      <Link to="/" className={buttonLook({ tone: asksPassword ? 'quiet' : 'primary', class: 'mt-6' })}>
        {room.returnHome}
      </Link>
    </section>
  )
}

function PasswordForm({ isWrong }: { isWrong: boolean }) {
  const { submitPassword } = useRoomActions()
  const [password, setPassword] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password.trim() !== '') submitPassword(password.trim())
  }
  return (
    <form
      noValidate
      onSubmit={submit}
      className="mt-8 flex w-full flex-col gap-4 rounded-xl bg-surface p-6 text-left ring-1 ring-line ring-inset"
    >
      <h2 className="text-lg font-semibold">{room.passwordTitle}</h2>
      <PasswordField
        label={room.password}
        showLabel={createRoom.showPassword}
        hideLabel={createRoom.hidePassword}
        autoComplete="off"
        maxLength={limits.roomPasswordMaxLength}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={isWrong ? errorTexts.wrong_password : null}
      />
      <Button type="submit" tone="primary" isWide disabled={password.trim() === ''}>
        {room.joinWithPassword}
      </Button>
    </form>
  )
}
