import { limits } from '@earshot/core/limits'
import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Link } from 'react-router'
import { doorQuery, readInvite } from '../../../api/door.ts'
import { errorTexts } from '../../../texts/errors.ts'
import { createRoom } from '../../../texts/create-room.ts'
import { door as texts } from '../../../texts/door.ts'
import { room as roomTexts } from '../../../texts/room.ts'
import { Button, buttonLook } from '../../../ui/controls/button.tsx'
import { PageNotice } from '../../../ui/notices/page-notice.tsx'
import { PasswordField } from '../../../ui/controls/password-field.tsx'
import { useRoomActions, useRoomVisit, useRoomState } from '../use-room.ts'
import { privateTitle } from './private-title.ts'
import { useSecondsUntil } from './use-seconds-until.ts'

/** Says that the room is private, and asks for its password. */
export function PrivateDoor() {
  const { roomId } = useRoomVisit()
  const { data: door } = useQuery(doorQuery(roomId, null))
  // One that still works would have opened the room.
  const hadInvite = readInvite() !== null
  return (
    <PageNotice
      icon={Lock}
      title={privateTitle(door?.name)}
      text={hadInvite ? texts.askPasswordInviteEnded : texts.askPassword}
    >
      <PasswordForm />
      <Link to="/" className={buttonLook({ tone: 'quiet' })}>
        {roomTexts.returnHome}
      </Link>
    </PageNotice>
  )
}

/** Keeps the typed password and the focus while the server checks it. */
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
  const isWaitKnown = joinError === 'rate_limited' && retryAtMs !== null
  const isRefused = joinError !== null && joinError !== 'password_required' && !isWaitKnown
  const error = wait === null ? (isRefused ? errorTexts[joinError] : null) : texts.wait(wait)
  return (
    <form
      noValidate
      onSubmit={submit}
      className="flex w-full flex-col gap-4 rounded-xl bg-surface p-6 text-start ring-1 ring-line ring-inset"
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
