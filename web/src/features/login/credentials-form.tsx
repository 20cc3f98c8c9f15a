import { limits } from '@earshot/core/limits'
import { signInSchema, signUpSchema } from '@earshot/core/protocol/validation'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { cookies } from '../../texts/environment.ts'
import { signUpName, login } from '../../texts/login.ts'
import { configQuery } from '../../api/account.ts'
import { isCookieRefused } from '../../api/refused-cookie.ts'
import { keepReturnPath } from '../../api/kept-return-path.ts'
import { useSession } from '../../api/session.tsx'
import { signIn, signUp, type AuthFailure } from '../../api/sign-in.ts'
import { Button } from '../../ui/controls/button.tsx'
import { notify, withdrawNotice } from '../../ui/notices/notify.ts'
import { PasswordField } from '../../ui/controls/password-field.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { useFocusOnOpen } from '../../ui/popups/use-focus-on-open.ts'
import { serverMessage } from '../../texts/server-messages.ts'

/** That the form failed: told no longer than until the next attempt. */
const topic = 'credentials'

const modes = {
  'sign-in': {
    schema: signInSchema,
    send: (email: string, password: string) => signIn(email, password),
    submit: login.signIn,
    submitting: login.signingIn,
    inlineFallback: login.signInFailed,
    failedTitle: login.loginFailedTitle,
    failedText: login.loginFailedText,
    autoComplete: 'current-password',
    hint: undefined,
  },
  'sign-up': {
    schema: signUpSchema,
    send: signUp,
    submit: login.signUp,
    submitting: login.signingUp,
    inlineFallback: login.signUpFailed,
    failedTitle: login.registrationFailedTitle,
    failedText: login.registrationFailedText,
    autoComplete: 'new-password',
    hint: login.passwordHint,
  },
} as const

interface CredentialsFormProps {
  mode: keyof typeof modes
  name: string
  email: string
  password: string
  onNameChange: (name: string) => void
  onEmailChange: (email: string) => void
  onPasswordChange: (password: string) => void
  error: string | null
  onErrorChange: (error: string | null) => void
  /** Whether the form has the focus as soon as it is there. */
  isFocused: boolean
  /** Where to go on after a confirmation by mail. */
  returnPath: string
  /** The token of an invite to the server. */
  invite?: string
  /** Called after success. */
  onDone?: () => void
}

/** A form for email and password with one error text for both (5.1, 8.9); sign-up also offers a name (16.27). */
export function CredentialsForm({ mode, name, email, password, error, ...on }: CredentialsFormProps) {
  const { submit, submitting, autoComplete, hint } = modes[mode]
  const { isBusy, send } = useCredentials(mode, on)
  const emailInput = useRef<HTMLInputElement>(null)
  useFocusOnOpen(emailInput, on.isFocused)
  const submitForm = (event: FormEvent) => {
    event.preventDefault()
    void send({ name, email, password })
  }
  return (
    <form noValidate onSubmit={submitForm} className="flex flex-col gap-4">
      <TextField
        ref={emailInput}
        label={login.email}
        type="email"
        name="email"
        // The name by which password managers know the pair.
        autoComplete="username"
        value={email}
        onChange={(event) => on.onEmailChange(event.target.value)}
      />
      <PasswordField
        label={login.password}
        hint={hint}
        name="password"
        autoComplete={autoComplete}
        showLabel={login.showPassword}
        hideLabel={login.hidePassword}
        value={password}
        onChange={(event) => on.onPasswordChange(event.target.value)}
      />
      {mode === 'sign-up' && <NameField name={name} onChange={on.onNameChange} />}
      <p role="alert" className="text-sm text-video empty:hidden">
        {error}
      </p>
      <Button type="submit" tone="primary" size="lg" isWide isBusy={isBusy} className="mt-1">
        {isBusy ? submitting : submit}
      </Button>
    </form>
  )
}

function NameField({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  const isGuest = useSession().status === 'guest'
  return (
    <TextField
      label={signUpName.label}
      placeholder={signUpName.placeholder}
      hint={isGuest ? signUpName.guestHint : signUpName.hint}
      name="name"
      autoComplete="nickname"
      maxLength={limits.displayNameMaxLength}
      value={name}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

type Credentials = Pick<CredentialsFormProps, 'name' | 'email' | 'password'>

function useCredentials(
  mode: keyof typeof modes,
  {
    onErrorChange: setError,
    returnPath,
    invite,
    onDone,
  }: Omit<CredentialsFormProps, 'mode' | 'error' | keyof Credentials>,
) {
  const [isBusy, setBusy] = useState(false)
  const { data: config } = useQuery(configQuery)
  const fail = (failure: AuthFailure) => {
    const { inlineFallback, failedTitle, failedText } = modes[mode]
    const isUnconfirmed = failure.code === 'EMAIL_NOT_VERIFIED'
    if (isUnconfirmed) keepReturnPath(returnPath)
    const message = isUnconfirmed ? login.notConfirmed : failure.message
    setError(message ?? inlineFallback)
    notify({ kind: 'error', topic, title: failedTitle, text: message ?? failedText })
  }
  const send = async ({ name, ...credentials }: Credentials) => {
    const checked = modes[mode].schema.safeParse(credentials)
    if (!checked.success) return setError(serverMessage(checked.error.issues[0]?.message ?? ''))
    setError(null)
    withdrawNotice(topic)
    setBusy(true)
    const { email, password } = checked.data
    const failure = await modes[mode].send(email, password, name.trim(), invite)
    const isSignedIn = failure === null && (mode === 'sign-in' || config?.mailConfirmation === false)
    const isRefused = isSignedIn && (await isCookieRefused())
    setBusy(false)
    if (failure) return fail(failure)
    if (isRefused) return setError(cookies.refused)
    if (mode === 'sign-up') {
      if (config?.mailConfirmation === true) keepReturnPath(returnPath)
      notify({
        kind: 'success',
        title: login.registrationSuccess,
        text: config?.mailConfirmation === false ? undefined : login.registrationSuccessText,
        durationMs: 6_000,
      })
    }
    onDone?.()
  }
  return { isBusy, send }
}
