import type { UnplayableReason } from '@earshot/core/protocol/providers'
import { AppError } from '@earshot/core/protocol/errors'

export type SpotifyProblemFacts = Partial<Pick<SpotifyProblem, 'reason' | 'retryAtMs' | 'isOfTrack'>>

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
    { reason = null, retryAtMs = null, isOfTrack = false }: SpotifyProblemFacts = {},
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

/**
 * Converts a refused call of Spotify's Web API; null for an answer that is none. `text`: its body, which is JSON or, of
 * some refusals, a bare sentence.
 */
export function toApiProblem(
  status: number,
  retryAfterS: number | null,
  text: string,
): SpotifyProblem | null {
  if (status < 400) return null
  if (status === 401) return new SpotifyProblem('Spotify refuses the connection', { reason: 'not_connected' })
  if (status === 429) {
    const retryAtMs = Date.now() + (retryAfterS ?? defaultRetryAfterS) * 1_000
    return new SpotifyProblem(`Spotify asks to wait until ${clockTime(retryAtMs)}`, { retryAtMs })
  }
  const facts = status === 403 ? (refusals.find(({ says }) => says.test(text))?.facts ?? {}) : {}
  return new SpotifyProblem(readMessage(text) ?? `Spotify answered ${status}`, facts)
}

const defaultRetryAfterS = 30

/** The meanings of a 403, by its text. Any other 403 may pass. */
const refusals: readonly { says: RegExp; facts: SpotifyProblemFacts }[] = [
  { says: /premium.*owner|owner.*premium/i, facts: { reason: 'app_paused' } },
  { says: /premium/i, facts: { reason: 'no_premium' } },
  { says: /client scope|not (be )?registered/i, facts: { reason: 'not_connected' } },
  // Or only at this moment: the device was busy with another command.
  { says: /restriction/i, facts: { isOfTrack: true } },
]

/** Reads the message of a body in JSON; null where it has none. */
function readMessage(text: string): string | null {
  try {
    const body = JSON.parse(text) as { error?: { message?: unknown } | null } | null
    const message = body?.error?.message
    return typeof message === 'string' && message !== '' ? message : null
  } catch {
    return null
  }
}
