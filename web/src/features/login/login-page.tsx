import { limits } from '@earshot/core/limits'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { z } from 'zod'
import { forgetReturnPath, readReturnPath } from '../../api/kept-return-path.ts'
import { useSession } from '../../api/session.tsx'
import { authentication } from '../../texts/common.ts'
import { errorTexts } from '../../texts/errors.ts'
import { login } from '../../texts/login.ts'
import { authenticationTopic, notify, type Notice } from '../../ui/notices/notify.ts'
import { PageTitle } from '../../ui/page/page-title.tsx'
import { LoginCard } from './login-card.tsx'
import { LoginHero } from './login-hero.tsx'

/** The page to sign in and sign up (2.30); redirects back once signed in. */
export function LoginPage() {
  const { message, tab, ...state } = readLoginState(useLocation().state)
  const { status } = useSession()
  const navigate = useNavigate()
  const from = useConfirmation() ?? state.from
  useEffect(() => {
    if (message === null) return
    notify({ kind: 'info', topic: authenticationTopic, title: authentication.requiredNotice, text: message })
  }, [message])
  useReturnError()
  useEffect(() => {
    if (status === 'signed_in') void navigate(from, { replace: true })
  }, [status, from, navigate])
  return (
    <div className="mt-4 grid gap-6 sm:mt-6 lg:min-h-[calc(100dvh-var(--spacing-topbar)-6.5rem)] lg:grid-cols-[1.15fr_1fr] low:mt-3 low:grid-cols-[2fr_3fr] low:gap-4">
      <PageTitle name={login.title} />
      <LoginHero />
      <LoginCard returnPath={from} firstTab={tab} />
    </div>
  )
}

const failureTexts = new Map<string, string>([
  ['sign_up_closed', errorTexts.sign_up_closed],
  ['invite_required', errorTexts.invite_required],
  // An account whose address was not confirmed may be somebody else's, so Google does not open it.
  ['account_not_linked', login.hasPassword],
  ['BANNED_USER', errorTexts.account_disabled],
  ['rate_limited', errorTexts.rate_limited],
])

/** The errors of a confirmation mail's link: expired, damaged, or of an account that was deleted. */
const confirmationFailures = new Set(['TOKEN_EXPIRED', 'INVALID_TOKEN', 'USER_NOT_FOUND'])

/** Reports that a confirmation mail's link, which led here, has confirmed the address. Returns where to go on, if known. */
function useConfirmation(): string | null {
  const [query, setQuery] = useSearchParams()
  const { status, user } = useSession()
  const [path] = useState(readReturnPath)
  const [isReturn] = useState(query.has('confirmed'))
  const isConfirmed = query.has('confirmed') && !query.has('error') && status !== 'loading'
  const name = status === 'signed_in' ? user?.name : undefined
  const isOther = query.get('confirmed') === 'other'
  useEffect(() => {
    if (!isConfirmed) return
    notify({
      kind: 'success',
      topic: authenticationTopic,
      title: login.confirmed,
      ...describe(name, isOther),
    })
    forgetReturnPath()
    setQuery({}, { replace: true })
  }, [isConfirmed, name, isOther, setQuery])
  return isReturn ? path : null
}

/** `name`: who is signed in here; `isOther`: to another account than the one that was confirmed. */
function describe(name: string | undefined, isOther: boolean): Pick<Notice, 'text' | 'durationMs'> {
  if (name === undefined) return { text: login.confirmedText }
  if (!isOther) return { text: authentication.welcome(name) }
  return { text: login.confirmedOther(name), durationMs: limits.noticeMaxMs }
}

/** Reports why the sign-in at Google or a mailed link led here, and removes the error from the address. */
function useReturnError(): void {
  const [query, setQuery] = useSearchParams()
  const code = query.get('error')
  const hasFailed = code !== null
  useEffect(() => {
    if (!hasFailed) return
    reportReturnError(code)
    setQuery({}, { replace: true })
  }, [hasFailed, code, setQuery])
}

function reportReturnError(code: string): void {
  // The link of a change of email, opened without a session of its account.
  if (code === 'sign_in_first') {
    const { requiredNotice: title } = authentication
    notify({ kind: 'info', topic: authenticationTopic, title, text: login.signInFirst })
  } else if (confirmationFailures.has(code)) {
    notify({ kind: 'error', title: login.confirmFailed, text: login.confirmFailedText })
  } else {
    const text = failureTexts.get(code) ?? login.loginFailedText
    notify({ kind: 'error', title: login.loginFailedTitle, text })
  }
}

const loginStateSchema = z.object({
  from: z
    .string()
    .regex(/^\/(?!\/)/)
    .optional()
    .catch(undefined),
  message: z.string().optional().catch(undefined),
  tab: z.enum(['sign-in', 'sign-up']).catch('sign-in').default('sign-in'),
})

interface LoginState {
  from: string
  message: string | null
  tab: 'sign-in' | 'sign-up'
}

/** Reads where to go after login, which message and which tab to show, from the state passed by the previous page. */
export function readLoginState(state: unknown): LoginState {
  const { data } = loginStateSchema.safeParse(state)
  return { from: data?.from ?? '/', message: data?.message ?? null, tab: data?.tab ?? 'sign-in' }
}
