import { limits } from '@earshot/core/limits'
import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Link } from 'react-router'
import { doorQuery } from '../../../api/door.ts'
import { errorTexts } from '../../../texts/errors.ts'
import { createRoom } from '../../../texts/create-room.ts'
import { door as texts } from '../../../texts/door.ts'
import { room as roomTexts } from '../../../texts/room.ts'
import { Button, buttonLook } from '../../../ui/button.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { useRoomActions, useRoomRuntime, useRoomState } from '../use-room.ts'
import { useSecondsUntil } from './use-seconds-until.ts'

/** Says that the room is private, and asks for its password. */
export function PrivateDoor() {
  const { roomId } = useRoomRuntime()
  const { data: door } = useQuery(doorQuery(roomId, null))
  return (
    <section className="mx-auto flex min-h-[70dvh] max-w-104 flex-col items-center justify-center px-4 py-10 text-center">
      <span className="grid size-16 place-items-center rounded-full bg-surface text-ink-muted ring-1 ring-line ring-inset">
        <Lock aria-hidden className="size-7" />
      </span>
      <h1 className="mt-6 text-2xl font-semibold tracking-tight wrap-anywhere">
        {door ? texts.private(door.name) : texts.thisRoomIsPrivate}
      </h1>
      <p className="mt-2 text-balance text-ink-muted">{texts.askPassword}</p>
      <PasswordForm />
      <Link to="/" className={buttonLook({ tone: 'quiet', class: 'mt-6' })}>
        {roomTexts.returnHome}
      </Link>
    </section>
  )
}

/** What was typed, and the focus, stay while the server checks it. */
function PasswordForm() {
  const { submitPassword } = useRoomActions()
  const joinError = useRoomState((state) => state.joinError)
  const isChecking = useRoomState((state) => state.phase !== 'not_found')
  const retryAtMs = useRoomState((state) => state.joinRetryAtMs)
  const [password, setPassword] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const wait = useSecondsUntil(joinError === 'rate_limited' ? retryAtMs : null)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (joinError === 'wrong_password') field.current?.select()
  }, [joinError])
  const isReady = password.trim() !== '' && !isChecking && wait === null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) submitPassword(password.trim())
  }
  const isRefused = joinError !== null && joinError !== 'password_required' && joinError !== 'rate_limited'
  const error = wait === null ? (isRefused ? errorTexts[joinError] : null) : texts.wait(wait)
  return (
    <form
      noValidate
      onSubmit={submit}
      className="mt-8 flex w-full flex-col gap-4 rounded-xl bg-surface p-6 text-start ring-1 ring-line ring-inset"
    >
      <PasswordField
        ref={field}
        label={texts.password}
        showLabel={createRoom.showPassword}
        hideLabel={createRoom.hidePassword}
        autoComplete="off"
        maxLength={limits.roomPasswordMaxLength}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={error}
      />
      <Button type="submit" tone="primary" isWide isBusy={isChecking} disabled={!isReady}>
        {isChecking ? texts.checking : texts.join}
      </Button>
    </form>
  )
}
