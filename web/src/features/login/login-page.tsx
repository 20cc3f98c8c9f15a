import type { Source, SourceStatus } from '@earshot/core/protocol/entities'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { z } from 'zod'
import { AppError, hasCode } from '@earshot/core/protocol/errors'
import { sourcesQuery } from '../../api/queries.ts'
import { forgetReturnPath, readReturnPath } from '../../api/kept-return-path.ts'
import { useSession } from '../../api/session.tsx'
import { authentication } from '../../texts/common.ts'
import { errorTexts } from '../../texts/errors.ts'
import { login, connecting } from '../../texts/login.ts'
import { Button } from '../../ui/button.tsx'
import { authenticationTopic, notify } from '../../ui/notify.ts'
import { SourceIcon } from '../../ui/source-badge.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { connectYoutube, openSpotifyConsent } from '../../api/account.ts'
import { serverMessage } from '../../texts/server-messages.ts'
import { LoginCard } from './login-card.tsx'

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
  useEffect(() => {
    if (!isConfirmed) return
    const text = name === undefined ? login.confirmedText : authentication.welcome(name)
    notify({ kind: 'success', topic: authenticationTopic, title: login.confirmed, text })
    forgetReturnPath()
    setQuery({}, { replace: true })
  }, [isConfirmed, name, setQuery])
  return isReturn ? path : null
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

const providers = ['spotify', 'youtube'] as const satisfies Source[]

/** Introduces the product and lists the music services to connect. */
export function LoginHero() {
  const { data: sources = [] } = useQuery(sourcesQuery)
  return (
    <section className="relative isolate flex flex-col justify-center overflow-hidden rounded-2xl bg-page px-6 py-10 text-ink scheme-dark ring-1 ring-line max-lg:py-6 sm:px-12 sm:py-14 low:justify-start low:px-6 low:py-6">
      <div aria-hidden className="absolute inset-0 -z-10 hero-glow" />
      <h1 className="text-display font-semibold tracking-tight max-lg:text-2xl">{login.heroTitle}</h1>
      <p className="mt-4 max-w-108 text-lg text-pretty text-ink-muted max-lg:mt-2 max-lg:text-sm">
        {login.heroText}
      </p>
      <ul className="mt-8 grid max-w-120 gap-4 empty:hidden max-lg:mt-4 max-lg:gap-2 sm:grid-cols-2 low:grid-cols-1">
        {providers
          .filter((provider) => isOffered(sources, provider))
          .map((provider) => (
            <li key={provider}>
              <ConnectButton provider={provider} />
            </li>
          ))}
      </ul>
    </section>
  )
}

/** Whether accounts at a provider can be connected. Assumed until the server has said otherwise. */
function isOffered(sources: readonly SourceStatus[], provider: (typeof providers)[number]): boolean {
  return sources.find(({ source }) => source === provider)?.available ?? true
}

/** Connects an account at a provider (2.30d). */
function ConnectButton({ provider }: { provider: (typeof providers)[number] }) {
  const { connect, isBusy } = useConnect(provider)
  return (
    <Button isWide isBusy={isBusy} onClick={() => void connect()}>
      <SourceIcon source={provider} className="size-5 shrink-0" />
      {login.connect[provider]}
    </Button>
  )
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

/** Connects an account at a provider from the login page, which needs a session (8.1c, 8.12). */
function useConnect(provider: 'spotify' | 'youtube') {
  const { status } = useSession()
  const [isBusy, setBusy] = useState(false)
  const fail = (text: string) => notify({ kind: 'error', title: connecting.failed[provider], text })
  const connect = async () => {
    if (status === 'signed_out') return fail(connecting.signedOut(provider))
    setBusy(true)
    try {
      await (provider === 'spotify' ? openSpotifyConsent() : connectServerKey())
    } catch (error) {
      const isSignedOut = hasCode(error, 'unauthenticated')
      fail(isSignedOut ? connecting.signedOut(provider) : describe(error))
    } finally {
      setBusy(false)
    }
  }
  return { connect, isBusy }
}

/** Connects YouTube with the key of the server: the login page does not ask for one. */
async function connectServerKey(): Promise<void> {
  const result = await connectYoutube(null)
  if (!result.success) throw new Error(result.error)
  const { youtubeConnected: title, youtubeConnectedText: text } = connecting
  notify({ kind: 'success', title, text })
}

function describe(error: unknown): string {
  const message = error instanceof Error ? serverMessage(error.message) : null
  return message || (error instanceof AppError ? errorTexts[error.code] : connecting.unknownError)
}
