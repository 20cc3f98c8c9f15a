import { CircleAlert, CircleCheck } from 'lucide-react'
import { Link } from 'react-router'
import { callback as texts } from '../../texts/profile.ts'
import { locale } from '../../texts/language.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { buttonLook } from '../../ui/controls/button.tsx'
import { Spinner } from '../../ui/loading/spinner.tsx'
import { PageTitle } from '../../ui/page/page-title.tsx'
import { type CallbackState, type LogStep, useSpotifyReturn } from './use-spotify-return.ts'

/** The return page of Spotify's authorisation (2.35), without the top bar. */
export function CallbackPage() {
  const { state, log } = useSpotifyReturn()
  return (
    <div className="mx-auto flex min-h-[calc(100dvh-4rem)] max-w-128 flex-col justify-center py-8">
      <PageTitle name={texts.title} />
      <BrandMark className="mb-6 size-10" />
      <h1 className="text-headline font-semibold tracking-tight">{texts.title}</h1>
      <div className="mt-6 rounded-2xl bg-surface p-6 ring-1 ring-line ring-inset sm:p-8">
        <Outcome state={state} />
      </div>
      <AuthenticationLogs steps={log} />
    </div>
  )
}

function Outcome({ state }: { state: CallbackState }) {
  if (state.phase === 'error') {
    return (
      <div role="alert">
        <p className="flex items-center gap-3 text-lg font-semibold">
          <CircleAlert aria-hidden className="size-6 shrink-0 text-video" />
          {texts.error}
        </p>
        <p className="mt-2 wrap-anywhere text-ink-muted">{state.message}</p>
        <Link to="/profile" replace className={buttonLook({ tone: 'primary', class: 'mt-6' })}>
          {texts.returnToProfile}
        </Link>
      </div>
    )
  }
  const isDone = state.phase === 'success'
  return (
    <output className="block">
      <span className="flex items-center gap-3 text-lg font-semibold">
        {isDone ? (
          <CircleCheck aria-hidden className="size-6 shrink-0 text-brand-text" />
        ) : (
          <Spinner className="size-6 shrink-0 text-brand-text" />
        )}
        <span>{isDone ? texts.success : texts.loading}</span>
      </span>
      {isDone && <span className="mt-2 block text-ink-muted">{texts.redirecting}</span>}
    </output>
  )
}

const timeFormat = new Intl.DateTimeFormat(locale, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

function AuthenticationLogs({ steps }: { steps: readonly LogStep[] }) {
  return (
    <section aria-labelledby="logs-title" className="mt-6">
      <h2 id="logs-title" className="mb-2 text-sm font-medium">
        {texts.logs}
      </h2>
      <ol className="grid gap-1.5 rounded-md bg-raised p-4 font-mono text-xs">
        {steps.map(({ atMs, text }) => (
          <li key={`${atMs} ${text}`} className="flex gap-3">
            <time dateTime={new Date(atMs).toISOString()} className="shrink-0 text-ink-muted">
              {timeFormat.format(atMs)}
            </time>
            <span className="min-w-0 wrap-anywhere">{text}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
