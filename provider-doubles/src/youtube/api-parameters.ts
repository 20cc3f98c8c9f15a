import { apiErrors } from './api-errors.ts'

/** Parameters that every method of the Data API takes. */
const standard = new Set([
  'key',
  'alt',
  'fields',
  'prettyPrint',
  'quotaUser',
  'callback',
  'access_token',
  '$.xgafv',
])

/** Refuses parameters that a method does not have. @throws ApiError 400 */
export function refuseUnknown(query: URLSearchParams, known: readonly string[]): void {
  for (const name of query.keys()) {
    if (!standard.has(name) && !known.includes(name)) throw apiErrors.unknownParameter(name)
  }
}

/** Reads `part`, which every list method requires. @throws ApiError 400 */
export function readParts(query: URLSearchParams, known: readonly string[]): ReadonlySet<string> {
  const parts = readList(query, 'part')
  if (parts.length === 0) throw apiErrors.required('part')
  for (const part of parts) if (!known.includes(part)) throw apiErrors.unknownPart(part)
  return new Set(parts)
}

/** Reads values that are joined by commas or given several times. */
export function readList(query: URLSearchParams, name: string): string[] {
  return query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '')
}

/** Reads one of a few allowed values; null if it is missing. @throws ApiError 400 */
export function readChoice(query: URLSearchParams, name: string, allowed: readonly string[]): string | null {
  const value = query.get(name)
  if (value !== null && !allowed.includes(value)) {
    throw apiErrors.invalidValue(name, `Invalid value '${value}'. Allowed values are: ${allowed.join(', ')}`)
  }
  return value
}

/** A page of a list, in the form of the API's answers. */
export interface Page<Item> {
  items: Item[]
  nextPageToken?: string
  prevPageToken?: string
  pageInfo: { totalResults: number; resultsPerPage: number }
}

/** Cuts the page that `maxResults` (0 to 50, 5 unless given) and `pageToken` ask for. @throws ApiError 400 */
export function readPage<Item>(query: URLSearchParams, all: readonly Item[]): Page<Item> {
  const size = readCount(query)
  const from = readToken(query)
  return {
    ...(from + size < all.length && size > 0 && { nextPageToken: toToken(from + size) }),
    ...(from > 0 && { prevPageToken: toToken(Math.max(0, from - size)) }),
    pageInfo: { totalResults: all.length, resultsPerPage: size },
    items: all.slice(from, from + size),
  }
}

function readCount(query: URLSearchParams): number {
  const text = query.get('maxResults')
  if (text === null) return 5
  const count = /^\d+$/.test(text) ? Number(text) : NaN
  if (!(count <= 50)) {
    throw apiErrors.invalidValue(
      'maxResults',
      `Invalid value '${text}'. Values must be within the range: [0, 50]`,
    )
  }
  return count
}

const tokenMark = 'page:'
const toToken = (offset: number): string => Buffer.from(`${tokenMark}${offset}`).toString('base64url')

function readToken(query: URLSearchParams): number {
  const token = query.get('pageToken')
  if (token === null) return 0
  const text = Buffer.from(token, 'base64url').toString()
  const offset = text.startsWith(tokenMark) ? Number(text.slice(tokenMark.length)) : NaN
  if (!Number.isInteger(offset)) {
    throw apiErrors.invalidValue(
      'pageToken',
      'The request specifies an invalid page token.',
      'invalidPageToken',
    )
  }
  return offset
}
