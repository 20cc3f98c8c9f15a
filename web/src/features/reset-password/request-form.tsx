import { requestResetSchema } from '@earshot/core/protocol/validation'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { resetPassword as texts, login } from '../../texts/login.ts'
import { configQuery } from '../../api/account.ts'
import { forgetReturnPath, keepReturnPath } from '../../api/kept-return-path.ts'
import { requestPasswordReset } from '../../api/password.ts'
import { Button } from '../../ui/controls/button.tsx'
import { useFocusOnNewScreen } from '../../ui/page/content-focus.ts'
import { TextField } from '../../ui/controls/text-field.tsx'
import { serverMessage } from '../../texts/server-messages.ts'

interface RequestFormProps {
  firstEmail: string
  /** Where to go after the login with the new password. */
  returnPath: string
}

/** Asks where to send the link. The answer does not tell whether there is such an account. */
export function RequestForm({ firstEmail, returnPath }: RequestFormProps) {
  const [email, setEmail] = useState(firstEmail)
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isSent, setSent] = useState(false)
  useFocusOnNewScreen(isSent ? 'sent' : 'form')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const checked = requestResetSchema.safeParse({ email })
    if (!checked.success) return setError(serverMessage(checked.error.issues[0]?.message ?? ''))
    setError(null)
    setBusy(true)
    const failure = await requestPasswordReset(checked.data.email)
    setBusy(false)
    if (failure) return setError(failure.message ?? texts.sendFailed)
    // Another person may have asked here before.
    forgetReturnPath()
    keepReturnPath(returnPath)
    setSent(true)
  }
  return (
    <>
      {!isSent && (
        <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
          <p className="text-sm text-ink-muted">{texts.requestText}</p>
          <TextField
            label={login.email}
            type="email"
            name="email"
            autoComplete="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <p role="alert" className="text-sm text-video empty:hidden">
            {error}
          </p>
          <Button type="submit" tone="primary" size="lg" isWide isBusy={isBusy}>
            {isBusy ? texts.sending : texts.send}
          </Button>
        </form>
      )}
      {/* From the start: screen readers ignore a region that comes together with its text. */}
      <output className="flex flex-col gap-2">{isSent && <Sent />}</output>
    </>
  )
}

/** Without a mail server the link is in the server's outbox folder, which its operator can read. */
function Sent() {
  const { data: config } = useQuery(configQuery)
  return (
    <>
      <span className="font-medium">{texts.sent}</span>
      <span className="text-sm text-ink-muted">
        {config?.mailConfirmation === false ? texts.sentWithoutMail : texts.sentText}
      </span>
    </>
  )
}
