import { z } from 'zod'

/** An answer of the Data API or of oEmbed. */
export interface YoutubeAnswer {
  status: number
  /** Undefined if the body is not JSON. */
  json: unknown
}

/** Why YouTube refused. `limit`: of the day; `busy`: of the minute; `key`: the key is not valid or not permitted. */
type YoutubeErrorKind = 'limit' | 'busy' | 'key' | 'missing' | 'cursor' | 'failed'

/** A refusal or failure. The message is YouTube's, without the key. */
export class YoutubeError extends Error {
  readonly kind: YoutubeErrorKind
  /** Null if YouTube did not answer. */
  readonly status: number | null

  constructor(kind: YoutubeErrorKind, status: number | null, message: string) {
    super(message)
    this.name = 'YoutubeError'
    this.kind = kind
    this.status = status
  }
}

const errorSchema = z.object({
  error: z.object({
    message: z.string().catch(''),
    errors: z.array(z.object({ reason: z.string().catch('') })).catch([]),
    details: z.array(z.object({ reason: z.string().catch('') })).catch([]),
  }),
})

const dailyReasons = /^(?:quota|dailyLimit)Exceeded/
const busyReasons = /^(?:userR|r)ateLimitExceeded$/
/** Of refusals that give no reason besides. */
const keyMessage = /API key|requests from (?:referer|this)|has not been used in project/i
const keyReasons =
  /^(?:API_KEY_\w+|SERVICE_DISABLED|accessNotConfigured|key(?:Invalid|Expired)|forbidden|ipRefererBlocked)$/

/** Converts a refusal; the message has neither the key nor HTML. */
export function toYoutubeError({ status, json }: YoutubeAnswer, key: string): YoutubeError {
  const body = errorSchema.safeParse(json).data?.error ?? { message: '', errors: [], details: [] }
  const text = body.message.replaceAll(key, '***').replaceAll(/<[^>]*>/g, '')
  const message = text.slice(0, 500) || `YouTube answered with status ${status}`
  const reasons = [...body.errors, ...body.details].map(({ reason }) => reason)
  return new YoutubeError(toKind(status, message, reasons), status, message)
}

function toKind(status: number, message: string, reasons: string[]): YoutubeErrorKind {
  const has = (pattern: RegExp): boolean => reasons.some((reason) => pattern.test(reason))
  // One form or the other, by resource and year. A 429 that names no quota is over soon.
  if (status === 429 || status === 403) {
    if (/per (?:\d+ )?(?:minute|second)/i.test(message)) return 'busy'
    if (has(dailyReasons) || /\bper day\b|\bquota\b/i.test(message)) return 'limit'
    if (status === 429 || has(busyReasons)) return 'busy'
  }
  if (status === 404 || has(/Not(?:Accessible|Found)$/)) return 'missing'
  const isKeyNamed = (status === 400 || status === 403) && keyMessage.test(message)
  if (status === 401 || has(keyReasons) || isKeyNamed) return 'key'
  if (status === 403 && /\bis private\b/i.test(message)) return 'missing'
  return has(/^invalidPageToken$/) ? 'cursor' : 'failed'
}
