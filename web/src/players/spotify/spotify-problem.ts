import type { UnplayableReason } from '@earshot/core/protocol/providers'
import { AppError } from '@earshot/core/protocol/errors'

/** Why Spotify does not play. */
export class SpotifyProblem extends Error {
  /** Of a problem that a retry does not solve; null for a passing one. */
  readonly reason: UnplayableReason | null
  /** Spotify asks for no command before this instant, ms; null without a limit. */
  readonly retryAtMs: number | null
  /** Spotify could not play this track; others may work. */
  readonly isOfTrack: boolean

  constructor(
    message: string,
    {
      reason = null,
      retryAtMs = null,
      isOfTrack = false,
    }: Partial<Pick<SpotifyProblem, 'reason' | 'retryAtMs' | 'isOfTrack'>> = {},
  ) {
    super(message)
    this.name = 'SpotifyProblem'
    this.reason = reason
    this.retryAtMs = retryAtMs
    this.isOfTrack = isOfTrack
  }
}

/** Error codes of the server that mean: connect the account (again). */
const accountCodes = new Set<string>([
  'not_connected',
  'must_reconnect',
  'unauthenticated',
  'source_unavailable',
])

/** Converts any error of the player's own steps. */
export function toSpotifyProblem(error: unknown): SpotifyProblem {
  if (error instanceof SpotifyProblem) return error
  if (!(error instanceof AppError)) {
    return new SpotifyProblem(error instanceof Error ? error.message : 'Spotify does not play')
  }
  const { retryAfterMs } = error.details
  return new SpotifyProblem(error.message, {
    reason: accountCodes.has(error.code) ? 'not_connected' : null,
    retryAtMs: retryAfterMs === undefined ? null : Date.now() + retryAfterMs,
  })
}

const clockTime = (atMs: number): string =>
  new Date(atMs).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })

/** Converts a refused call of Spotify's Web API; null for an answer that is none. */
export function toApiProblem(
  status: number,
  retryAfterS: number | null,
  body: unknown,
): SpotifyProblem | null {
  if (status < 400) return null
  const { reason, message } = readError(body)
  if (status === 401) return new SpotifyProblem('Spotify refuses the connection', { reason: 'not_connected' })
  if (status === 429) {
    const retryAtMs = Date.now() + (retryAfterS ?? defaultRetryAfterS) * 1_000
    return new SpotifyProblem(`Spotify asks to wait until ${clockTime(retryAtMs)}`, { retryAtMs })
  }
  // Also 403, but only for this moment: the device was busy with another command.
  const isMomentary = /restriction/i.test(`${reason} ${message}`)
  if (status === 403 && !isMomentary) {
    const isOfConsent = /scope|registered/i.test(message)
    return new SpotifyProblem(message, { reason: isOfConsent ? 'not_connected' : 'no_premium' })
  }
  return new SpotifyProblem(message || `Spotify answered ${status}`)
}

const defaultRetryAfterS = 30

function readError(body: unknown): { reason: string; message: string } {
  const error = typeof body === 'object' && body !== null ? Reflect.get(body, 'error') : null
  const text = (name: string): string => {
    const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : null
    return typeof value === 'string' ? value : ''
  }
  return { reason: text('reason'), message: text('message') }
}
