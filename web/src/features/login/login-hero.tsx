import type { Source, SourceStatus } from '@earshot/core/protocol/entities'
import { AppError, hasCode } from '@earshot/core/protocol/errors'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { connectYoutube, openSpotifyConsent } from '../../api/account.ts'
import { sourcesQuery } from '../../api/queries.ts'
import { useSession } from '../../api/session.tsx'
import { errorTexts } from '../../texts/errors.ts'
import { login, connecting } from '../../texts/login.ts'
import { serverMessage } from '../../texts/server-messages.ts'
import { Button } from '../../ui/controls/button.tsx'
import { notify } from '../../ui/notices/notify.ts'
import { SourceIcon } from '../../ui/music/source-badge.tsx'

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
