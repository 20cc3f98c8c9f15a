import { changePasswordSchema } from '@earshot/core/protocol/validation'
import { useState, type FormEvent } from 'react'
import { security as texts } from '../../texts/profile.ts'
import { changePassword } from '../../api/password.ts'
import type { AuthFailure } from '../../api/sign-in.ts'
import { login } from '../../texts/login.ts'
import { Button } from '../../ui/controls/button.tsx'
import { notify } from '../../ui/notices/notify.ts'
import { PasswordField } from '../../ui/controls/password-field.tsx'
import { serverMessage } from '../../texts/server-messages.ts'

const labels = { showLabel: login.showPassword, hideLabel: login.hidePassword }

/** An error, beside the field that it is about. */
interface Problem {
  field: 'currentPassword' | 'newPassword'
  text: string
}

/** Changes the password; needs the current one (16.23). */
export function ChangePasswordForm({ onDone }: { onDone: () => void }) {
  const [currentPassword, setCurrentPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const checked = changePasswordSchema.safeParse({ currentPassword, newPassword })
    if (!checked.success) {
      const { path, message = '' } = checked.error.issues[0] ?? { path: [] }
      const field = path[0] === 'currentPassword' ? 'currentPassword' : 'newPassword'
      return setProblem({ field, text: serverMessage(message) ?? '' })
    }
    setProblem(null)
    setBusy(true)
    const failure = await changePassword(currentPassword, newPassword)
    setBusy(false)
    if (failure) return setProblem(describe(failure))
    notify({ kind: 'success', title: texts.changed })
    onDone()
  }
  const errorOf = (field: Problem['field']) => (problem?.field === field ? problem.text : null)
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <p className="text-sm text-ink-muted">{texts.changeText}</p>
      <PasswordField
        {...labels}
        label={texts.currentPassword}
        name="current-password"
        autoComplete="current-password"
        error={errorOf('currentPassword')}
        value={currentPassword}
        onChange={(event) => setCurrentPassword(event.target.value)}
      />
      <PasswordField
        {...labels}
        label={texts.newPassword}
        hint={login.passwordHint}
        name="new-password"
        autoComplete="new-password"
        error={errorOf('newPassword')}
        value={newPassword}
        onChange={(event) => setNewPassword(event.target.value)}
      />
      <Button type="submit" tone="primary" isBusy={isBusy}>
        {isBusy ? texts.saving : texts.save}
      </Button>
    </form>
  )
}

function describe({ code, message }: AuthFailure): Problem {
  if (code === 'INVALID_PASSWORD') return { field: 'currentPassword', text: texts.wrongPassword }
  if (code === 'CREDENTIAL_ACCOUNT_NOT_FOUND') return { field: 'currentPassword', text: texts.noPassword }
  return { field: 'newPassword', text: message ?? texts.changeFailed }
}
