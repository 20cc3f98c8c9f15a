import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { connecting } from '../../texts/login.ts'
import { callback as texts } from '../../texts/profile.ts'
import { finishSpotifyConsent } from '../../api/account.ts'
import { spotifyQuery } from '../../api/provider-queries.ts'
import { describeError } from '../../api/describe-error.ts'
import { useSession } from '../../api/session.tsx'
import { notify } from '../../ui/notices/notify.ts'

export type CallbackState = { phase: 'loading' } | { phase: 'success' } | { phase: 'error'; message: string }

/** A step of the 'Authentication Logs'. Holds neither code nor state. */
export interface LogStep {
  atMs: number
  text: string
}

/** Spotify's parameters in the address. */
interface Returned {
  code: string | null
  state: string | null
  error: string | null
}

/** Spotify's error is shown; cut off, so that a forged address cannot fill the page. */
const errorMaxLength = 200

/** A failure with the message for the page; the log says more. */
class CallbackError extends Error {}

/**
 * Finishes connecting Spotify (4.24): takes code and state out of the address at once and posts them to the server once,
 * since the state is single-use. After success it goes to the profile.
 */
export function useSpotifyReturn() {
  const returned = useReturned()
  const [state, setState] = useState<CallbackState>({ phase: 'loading' })
  const { log, addStep } = useLog()
  const { status, isUnreadable } = useSession()
  const queryClient = useQueryClient()
  const isStarted = useRef(false)
  useEffect(() => {
    // A missing code or an error needs no session, and an unreadable session is the server's to judge.
    const needsSession = returned.code !== null && returned.error === null
    if (isStarted.current || (needsSession && status === 'loading' && !isUnreadable)) return
    isStarted.current = true
    const finish = async () => {
      const connection = await connect(returned, status === 'signed_out', addStep)
      queryClient.setQueryData(spotifyQuery.queryKey, connection)
      notify({ kind: 'success', title: connecting.spotifyConnected })
      setState({ phase: 'success' })
    }
    finish().catch((error: unknown) => {
      const message = error instanceof CallbackError ? error.message : texts.unknownError
      setState({ phase: 'error', message })
    })
  }, [returned, status, isUnreadable, addStep, queryClient])
  useRedirect(state.phase === 'success')
  return { state, log }
}

/** Reads the address once, and takes the secrets out of it before anything else. */
function useReturned(): Returned {
  const [query, setQuery] = useSearchParams()
  const [returned] = useState<Returned>(() => ({
    code: query.get('code') || null,
    state: query.get('state') || null,
    error: query.get('error')?.slice(0, errorMaxLength) || null,
  }))
  const isEmpty = query.size === 0
  useEffect(() => {
    if (!isEmpty) setQuery({}, { replace: true })
  }, [isEmpty, setQuery])
  return returned
}

function useLog() {
  const [log, setLog] = useState<LogStep[]>(() => [{ atMs: Date.now(), text: texts.log.returned }])
  const [addStep] = useState(
    () => (text: string) => setLog((steps) => [...steps, { atMs: Date.now(), text }]),
  )
  return { log, addStep }
}

/** @throws CallbackError with the page's message */
async function connect(
  { code, state, error }: Returned,
  isSignedOut: boolean,
  addStep: (text: string) => void,
) {
  const fail = (step: string, message: string): never => {
    addStep(step)
    throw new CallbackError(message)
  }
  const { log } = texts
  if (error !== null) return fail(log.error(error), texts.authorizationError(error))
  if (code === null) return fail(log.noCode, texts.noCode)
  addStep(log.received)
  if (isSignedOut) return fail(log.signedOut, connecting.signedOut('spotify'))
  if (state === null) return fail(log.noState, texts.failed)
  addStep(log.sending)
  try {
    const connection = await finishSpotifyConsent(code, state)
    addStep(log.connected)
    return connection
  } catch (failure) {
    const { step, message } = describeRefusal(failure)
    return fail(log.failed(withoutSecrets(step, [code, state])), message)
  }
}

/** Returns the log's text and the page's message for a failed call. */
function describeRefusal(failure: unknown): { step: string; message: string } {
  if (!(failure instanceof AppError)) return { step: texts.unknownError, message: texts.unknownError }
  if (failure.code === 'unauthenticated')
    return { step: texts.log.signedOut, message: connecting.signedOut('spotify') }
  return {
    step: describeError(failure),
    message: failure.code === 'internal' ? texts.unknownError : texts.failed,
  }
}

function withoutSecrets(text: string, secrets: string[]): string {
  return secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '…'), text)
}

function useRedirect(isDone: boolean): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => void navigate('/profile', { replace: true }), limits.callbackRedirectMs)
    return () => clearTimeout(timer)
  }, [isDone, navigate])
}
