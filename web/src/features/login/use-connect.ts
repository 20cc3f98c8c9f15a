import { AppError } from '@earshot/core/protocol/errors'
import { useState } from 'react'
import { connecting } from '../../texts/login.ts'
import { connectYoutube, openSpotifyConsent } from '../../api/account.ts'
import { useSession } from '../../api/session.tsx'
import { notify } from '../../ui/notify.ts'
import { errorTexts } from '../../texts/errors.ts'
import { serverMessage } from '../../texts/server-messages.ts'

/** Connects an account at a provider from the login page, which needs a session (8.1c, 8.12). */
export function useConnect(provider: 'spotify' | 'youtube') {
  const { status } = useSession()
  const [isBusy, setBusy] = useState(false)
  const fail = (text: string) => notify({ kind: 'error', title: connecting.failed[provider], text })
  const connect = async () => {
    if (status === 'signed_out') return fail(connecting.signedOut(provider))
    setBusy(true)
    try {
      await (provider === 'spotify' ? openSpotifyConsent() : connectServerKey())
    } catch (error) {
      const isSignedOut = error instanceof AppError && error.code === 'unauthenticated'
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
