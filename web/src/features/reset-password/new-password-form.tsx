import { resetPasswordSchema } from '@earshot/core/protocol/validation'
import { useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { resetPassword as texts, login } from '../../texts/login.ts'
import { forgetReturnPath, readReturnPath } from '../../api/kept-return-path.ts'
import { isUnusableLink, resetPassword } from '../../api/password.ts'
import { readSession } from '../../api/session.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { notify } from '../../ui/notices/notify.ts'
import { PasswordField } from '../../ui/controls/password-field.tsx'
import { serverMessage } from '../../texts/server-messages.ts'

interface NewPasswordFormProps {
  token: string
  /** Called when the server does not accept the token. */
  onUnusable: () => void
}

/** Sets the new password and goes to login. */
export function NewPasswordForm({ token, onUnusable }: NewPasswordFormProps) {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const checked = resetPasswordSchema.safeParse({ token, newPassword: password })
    if (!checked.success) {
      const issue = checked.error.issues[0]
      return issue?.path[0] === 'token' ? onUnusable() : setError(serverMessage(issue?.message ?? ''))
    }
    setError(null)
    setBusy(true)
    const failure = await resetPassword(token, password)
    setBusy(false)
    if (failure) return isUnusableLink(failure) ? onUnusable() : setError(failure.message ?? texts.saveFailed)
    notify({ kind: 'success', title: texts.saved, text: texts.savedText, durationMs: 6_000 })
    // This browser may have had one of the sessions that ended, and login would lead away.
    await readSession()
    const from = readReturnPath() ?? '/'
    forgetReturnPath()
    await navigate('/login', { replace: true, state: { from } })
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <p className="text-sm text-ink-muted">{texts.text}</p>
      <PasswordField
        label={texts.newPassword}
        hint={login.passwordHint}
        error={error}
        name="new-password"
        autoComplete="new-password"
        showLabel={login.showPassword}
        hideLabel={login.hidePassword}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" tone="primary" size="lg" isWide isBusy={isBusy}>
        {isBusy ? texts.saving : texts.save}
      </Button>
    </form>
  )
}
