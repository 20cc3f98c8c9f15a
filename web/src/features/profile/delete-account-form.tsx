import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { security as texts } from '../../texts/profile.ts'
import { callApi } from '../../api/call-api.ts'
import { refusedSession } from '../../api/refused-session.ts'
import { readSession } from '../../api/session.tsx'
import { login } from '../../texts/login.ts'
import { Button } from '../../ui/controls/button.tsx'
import { notify } from '../../ui/notices/notify.ts'
import { PasswordField } from '../../ui/controls/password-field.tsx'
import { describeError } from '../../api/describe-error.ts'
import { passwordTimeoutMs } from '../../api/timed-fetch.ts'

/** Deletes the account; says what goes and what stays, and needs the password (16.25). */
export function DeleteAccountForm() {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const deletion = useMutation({
    mutationFn: () =>
      callApi('POST /api/account/delete', { body: { password } }, { timeoutMs: passwordTimeoutMs }),
    onError: (failure) => setError(describeError(failure)),
    onSuccess: async () => {
      refusedSession.setState({ isOver: true })
      notify({ kind: 'success', title: texts.deleted })
      // The session is over, and the profile leads home.
      await readSession()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setError(password === '' ? texts.passwordRequired : null)
    if (password !== '') deletion.mutate()
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-sm">{texts.deleteGone}</p>
      <p className="text-sm text-ink-muted">{texts.deleteKept}</p>
      <PasswordField
        label={texts.deletePassword}
        name="current-password"
        autoComplete="current-password"
        showLabel={login.showPassword}
        hideLabel={login.hidePassword}
        error={error}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" isBusy={deletion.isPending}>
        {deletion.isPending ? texts.deleting : texts.delete}
      </Button>
    </form>
  )
}
