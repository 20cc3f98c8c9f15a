import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { resetPassword, login, signUpRule } from '../../texts/login.ts'
import { configQuery, signInWithGoogle } from '../../api/account.ts'
import { notify } from '../../ui/notices/notify.ts'
import { AlertBox } from '../../ui/notices/alert-box.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Tabs } from '../../ui/controls/tabs.tsx'
import { hasMouse } from '../../ui/popups/use-focus-on-open.ts'
import { callApi } from '../../api/call-api.ts'
import { CredentialsForm } from './credentials-form.tsx'

interface LoginCardProps {
  returnPath: string
  firstTab: 'sign-in' | 'sign-up'
}

/** Shows sign-in and sign-up in tabs, which share their input and its error. */
export function LoginCard({ returnPath, firstTab }: LoginCardProps) {
  const invite = useInvite()
  const { data: config } = useQuery(configQuery)
  const mode = config?.signUp ?? 'open'
  const [tab, setTab] = useState<string>(invite ? 'sign-up' : firstTab)
  const [name, setName] = useState('')
  // Chosen by key, the tab keeps the focus.
  const [isFocused, setFocused] = useState(hasMouse)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const setters = { onNameChange: setName, onEmailChange: setEmail, onPasswordChange: setPassword }
  const changes = { ...setters, onErrorChange: setError }
  const fields = { name, email, password, error, isFocused, returnPath, ...changes }
  return (
    <section
      aria-labelledby="login-title"
      className="flex flex-col justify-center rounded-2xl bg-surface p-6 ring-1 ring-line ring-inset sm:p-10 low:p-5"
    >
      <div className="mx-auto w-full max-w-104">
        <h2 id="login-title" className="text-2xl font-semibold tracking-tight">
          {login.cardTitle}
        </h2>
        <p className="mt-1.5 mb-6 text-sm text-ink-muted low:mb-3">{login.cardText}</p>
        {mode === 'closed' ? (
          <>
            <p className="mb-5 rounded-md bg-raised p-4 text-sm">{signUpRule.closed}</p>
            <SignIn fields={fields} returnPath={returnPath} invite={null} />
          </>
        ) : (
          <Tabs
            label={login.cardTitle}
            value={tab}
            onChange={(next, isByMouse) => {
              setFocused(isByMouse)
              setTab(next)
            }}
            tabs={[
              {
                value: 'sign-in',
                title: login.signIn,
                panel: <SignIn fields={fields} returnPath={returnPath} invite={invite} />,
              },
              {
                value: 'sign-up',
                title: login.signUp,
                panel: (
                  <SignUp mode={mode} fields={fields} invite={invite} onDone={() => setTab('sign-in')} />
                ),
              },
            ]}
          />
        )}
      </div>
    </section>
  )
}

type Fields = Omit<Parameters<typeof CredentialsForm>[0], 'mode' | 'onDone'>

interface SignUpProps {
  mode: 'open' | 'invite'
  fields: Fields
  invite: Invite | null
  onDone: () => void
}

/** The form to sign up, or why there is none: without an invite that admits, where one is needed (16.30). */
function SignUp({ mode, fields, invite, onDone }: SignUpProps) {
  const hasEnded = invite?.state === 'ended'
  const isOffered = mode === 'open' || (invite !== null && !hasEnded)
  return (
    <>
      {hasEnded && <AlertBox kind="error">{signUpRule.ended}</AlertBox>}
      {invite && !hasEnded && <p className="mb-4 text-sm">{signUpRule.invited}</p>}
      {mode === 'invite' && !invite && (
        <p className="rounded-md bg-raised p-4 text-sm">{signUpRule.byInvitation}</p>
      )}
      {isOffered && (
        <div className={hasEnded ? 'mt-4' : ''}>
          <CredentialsForm mode="sign-up" {...fields} invite={invite?.token} onDone={onDone} />
        </div>
      )}
    </>
  )
}

interface SignInProps {
  fields: Fields
  returnPath: string
  invite: Invite | null
}

/** Google signs in where its credentials are configured (2.30e); otherwise its button explains that they are missing. */
function SignIn({ fields, returnPath, invite }: SignInProps) {
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const openGoogle = async () => {
    setBusy(true)
    try {
      const { googleSignIn } = await queryClient.ensureQueryData(configQuery)
      if (!googleSignIn) {
        setBusy(false)
        return notify({ kind: 'info', title: login.googleNotice })
      }
      await signInWithGoogle(returnPath, invite?.token)
    } catch {
      setBusy(false)
      notify({ kind: 'error', title: login.loginFailedTitle, text: login.loginFailedText })
    }
  }
  return (
    <>
      <CredentialsForm mode="sign-in" {...fields} />
      <p className="mt-4 text-center text-sm">
        <Link
          to="/reset-password"
          state={{ email: fields.email, from: returnPath }}
          className="inline-flex items-center font-medium text-brand-text hover:underline pointer-coarse:min-h-11"
        >
          {resetPassword.forgot}
        </Link>
      </p>
      <p
        aria-hidden
        className="my-5 flex items-center gap-4 text-sm text-ink-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line"
      >
        {login.or}
      </p>
      <Button isWide isBusy={isBusy} onClick={() => void openGoogle()}>
        {login.google}
      </Button>
    </>
  )
}

/** The invite to the server with which the page was opened. */
interface Invite {
  token: string
  /** `unknown` until the server answered. */
  state: 'unknown' | 'valid' | 'ended'
}

/** Reads the invite from the fragment of the address, and asks the server whether it still admits. */
function useInvite(): Invite | null {
  const { hash } = useLocation()
  const [token] = useState(() => /^#invite=([\w-]{1,100})$/.exec(hash)?.[1] ?? null)
  const { data: isValid } = useQuery({
    queryKey: ['invite', token],
    queryFn: async ({ signal }) =>
      (await callApi('POST /api/invites/check', { body: { token: token ?? '' } }, { signal })).isValid,
    enabled: token !== null,
    staleTime: Infinity,
  })
  if (token === null) return null
  return { token, state: isValid === undefined ? 'unknown' : isValid ? 'valid' : 'ended' }
}
