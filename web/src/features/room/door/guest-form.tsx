import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import { cleanName, isVisible } from '@earshot/core/protocol/text'
import { useRef, useState, type FormEvent } from 'react'
import { describeError } from '../../../api/describe-error.ts'
import { enterAsGuest } from '../../../api/door.ts'
import { isCookieRefused } from '../../../api/refused-cookie.ts'
import { unlockSound } from '../../../engine/unlock-sound.ts'
import { readStored, writeStored } from '../../../storage.ts'
import { cookies } from '../../../texts/environment.ts'
import { door as texts } from '../../../texts/door.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { formatWait } from '../../../ui/music/format-time.ts'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { AccountLinks } from './account-links.tsx'
import { useSecondsUntil } from './use-seconds-until.ts'

const nameKey = 'guestName:v1'

/** Asks for a name. One click makes the visitor a guest, allows the sound, and enters the room. */
export function GuestForm() {
  const [name, setName] = useState(() => readStored('device', nameKey) ?? '')
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [retryAtMs, setRetryAtMs] = useState<number | null>(null)
  const wait = useSecondsUntil(retryAtMs)
  const field = useRef<HTMLInputElement>(null)
  const enter = async (event: FormEvent) => {
    event.preventDefault()
    const cleaned = cleanName(name)
    if (!isVisible(cleaned)) {
      setError(texts.nameMissing)
      return field.current?.focus()
    }
    // In the click itself: browsers allow sound only then.
    unlockSound()
    setBusy(true)
    setError(null)
    try {
      await enterAsGuest(cleaned)
      if (await isCookieRefused()) return setError(cookies.refused)
      writeStored('device', nameKey, cleaned)
    } catch (failure) {
      const { code, details } = failure instanceof AppError ? failure : new AppError('unavailable')
      const { retryAfterMs } = details
      setRetryAtMs(retryAfterMs === undefined ? null : Date.now() + retryAfterMs)
      if (retryAfterMs !== undefined) return
      setError(code === 'unavailable' ? texts.failed : describeError(failure, texts.failed))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void enter(event)} className="mt-7 text-start low:mt-3">
      <TextField
        ref={field}
        label={texts.name}
        placeholder={texts.namePlaceholder}
        name="name"
        autoComplete="nickname"
        maxLength={limits.displayNameMaxLength}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={wait === null ? error : texts.manyGuests(formatWait(wait))}
      />
      <Button
        type="submit"
        tone="primary"
        size="lg"
        isWide
        isBusy={isBusy}
        disabled={wait !== null}
        className="mt-4"
      >
        {isBusy ? texts.entering : texts.listen}
      </Button>
      <AccountLinks />
    </form>
  )
}
