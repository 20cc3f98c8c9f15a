import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { configQuery } from '../../api/account.ts'
import { changeEmail } from '../../api/password.ts'
import { readSession } from '../../api/session.tsx'
import type { AuthFailure } from '../../api/sign-in.ts'
import { login } from '../../texts/login.ts'
import { emailChange as texts, security } from '../../texts/profile.ts'
import { Button } from '../../ui/controls/button.tsx'
import { notify } from '../../ui/notices/notify.ts'
import { PasswordField } from '../../ui/controls/password-field.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'

interface Problem {
  field: 'newEmail' | 'password'
  text: string
}

/** Changes the email address, given the password; where mail is set up, once a link sent to it is opened. */
export function ChangeEmailForm({ onDone }: { onDone: () => void }) {
  const queryClient = useQueryClient()
  const { data: config } = useQuery(configQuery)
  const [newEmail, setNewEmail] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (newEmail.trim() === '') return setProblem({ field: 'newEmail', text: texts.required })
    if (password === '') return setProblem({ field: 'password', text: security.passwordRequired })
    setProblem(null)
    setBusy(true)
    const failure = await changeEmail(newEmail.trim(), password)
    setBusy(false)
    if (failure) return setProblem(describe(failure))
    const isMailed = config?.mailConfirmation === true
    if (isMailed) notify({ kind: 'success', title: texts.sent, text: texts.sentText })
    else notify({ kind: 'success', title: texts.changed })
    void readSession()
    void queryClient.invalidateQueries({ queryKey: ['profile'] })
    onDone()
  }
  const errorOf = (field: Problem['field']) => (problem?.field === field ? problem.text : null)
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <TextField
        label={texts.newEmail}
        type="email"
        name="email"
        autoComplete="email"
        error={errorOf('newEmail')}
        value={newEmail}
        onChange={(event) => setNewEmail(event.target.value)}
      />
      <PasswordField
        showLabel={login.showPassword}
        hideLabel={login.hidePassword}
        label={texts.password}
        name="password"
        autoComplete="current-password"
        error={errorOf('password')}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" tone="primary" isBusy={isBusy}>
        {isBusy ? texts.saving : texts.save}
      </Button>
    </form>
  )
}

function describe({ code, message }: AuthFailure): Problem {
  if (code === 'wrong_password') return { field: 'password', text: security.wrongPassword }
  return { field: 'newEmail', text: message ?? texts.failed }
}
