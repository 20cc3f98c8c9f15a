/** The error bodies of Google's APIs. */

interface GoogleErrorEntry {
  message: string
  domain: string
  reason: string
  location?: string
  locationType?: string
}

export interface GoogleErrorBody {
  error: {
    code: number
    message: string
    errors: GoogleErrorEntry[]
    status?: string
    details?: Record<string, unknown>[]
  }
}

/** A refusal of a request, with the body that Google sends. */
export class ApiError extends Error {
  readonly status: number
  readonly body: GoogleErrorBody

  constructor(error: Omit<GoogleErrorBody['error'], 'errors'> & Omit<GoogleErrorEntry, 'message'>) {
    super(error.message)
    const { code, message, status, details, ...entry } = error
    this.status = code
    this.body = {
      error: {
        code,
        message,
        errors: [{ message, ...entry }],
        ...(status === undefined ? {} : { status }),
        ...(details === undefined ? {} : { details }),
      },
    }
  }
}

const errorInfo = (reason: string, metadata: Record<string, string>) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'googleapis.com',
  metadata: { service: 'youtube.googleapis.com', ...metadata },
})

const consumer = 'projects/123456789012'

export const apiErrors = {
  keyInvalid: () => {
    const message = 'API key not valid. Please pass a valid API key.'
    return new ApiError({
      code: 400,
      message,
      domain: 'global',
      reason: 'badRequest',
      status: 'INVALID_ARGUMENT',
      details: [
        errorInfo('API_KEY_INVALID', {}),
        { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage', locale: 'en-US', message },
      ],
    })
  },
  keyMissing: () =>
    new ApiError({
      code: 403,
      message:
        "Method doesn't allow unregistered callers (callers without established identity). " +
        'Please use API Key or other form of API consumer identity to call this API.',
      domain: 'global',
      reason: 'forbidden',
      status: 'PERMISSION_DENIED',
    }),
  /** The key is restricted to web pages of certain addresses. */
  referrerBlocked: () =>
    new ApiError({
      code: 403,
      message: 'Requests from referer <empty> are blocked.',
      domain: 'global',
      reason: 'forbidden',
      status: 'PERMISSION_DENIED',
      details: [errorInfo('API_KEY_HTTP_REFERRER_BLOCKED', { consumer, httpReferrer: '<empty>' })],
    }),
  /** The key's project has not enabled the YouTube API. */
  notEnabled: () =>
    new ApiError({
      code: 403,
      message:
        'YouTube Data API v3 has not been used in project 123456789012 before or it is disabled. Enable it by visiting ' +
        'https://console.developers.google.com/apis/api/youtube.googleapis.com/overview?project=123456789012 then retry.',
      domain: 'usageLimits',
      reason: 'accessNotConfigured',
      status: 'PERMISSION_DENIED',
      details: [errorInfo('SERVICE_DISABLED', { consumer })],
    }),
  quotaExceeded: () =>
    new ApiError({
      code: 403,
      message:
        'The request cannot be completed because you have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.',
      domain: 'youtube.quota',
      reason: 'quotaExceeded',
    }),
  searchQuotaExceeded: (limit: number) =>
    new ApiError({
      code: 429,
      message:
        "Quota exceeded for quota metric 'Search Queries' and limit 'Search Queries per day' of service " +
        "'youtube.googleapis.com' for consumer 'project_number:123456789012'.",
      domain: 'global',
      reason: 'rateLimitExceeded',
      status: 'RESOURCE_EXHAUSTED',
      details: [
        errorInfo('RATE_LIMIT_EXCEEDED', {
          consumer,
          quota_metric: 'youtube.googleapis.com/search_queries',
          quota_limit: 'SearchQueriesPerDayPerProject',
          quota_limit_value: String(limit),
          quota_unit: '1/d/{project}',
          quota_location: 'global',
        }),
      ],
    }),
  required: (parameter: string) =>
    new ApiError({
      code: 400,
      message: `Required parameter: ${parameter}`,
      domain: 'global',
      reason: 'required',
      location: parameter,
      locationType: 'parameter',
    }),
  noFilter: (expected: string) =>
    new ApiError({
      code: 400,
      message: `No filter selected. Expected one of: ${expected}`,
      domain: 'youtube.parameter',
      reason: 'missingRequiredParameter',
      location: 'parameters.',
      locationType: 'other',
    }),
  unknownParameter: (name: string) =>
    new ApiError({
      code: 400,
      message: `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. Field '${name}' could not be found in request message.`,
      domain: 'global',
      reason: 'badRequest',
      status: 'INVALID_ARGUMENT',
    }),
  unknownPart: (part: string) =>
    new ApiError({
      code: 400,
      message: `'${part}'`,
      domain: 'youtube.part',
      reason: 'unknownPart',
      location: 'part',
      locationType: 'parameter',
    }),
  invalidValue: (parameter: string, message: string, reason = 'invalidParameter') =>
    new ApiError({
      code: 400,
      message,
      domain: 'youtube.parameter',
      reason,
      location: parameter,
      locationType: 'parameter',
    }),
  playlistNotFound: () =>
    new ApiError({
      code: 404,
      message:
        "The playlist identified with the request's <code>playlistId</code> parameter cannot be found.",
      domain: 'youtube.playlistItem',
      reason: 'playlistNotFound',
      location: 'playlistId',
      locationType: 'parameter',
    }),
  backend: () =>
    new ApiError({
      code: 500,
      message: 'Internal error encountered.',
      domain: 'global',
      reason: 'backendError',
      status: 'INTERNAL',
    }),
}
