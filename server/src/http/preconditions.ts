import type { IncomingHttpHeaders } from 'node:http'

/** What identifies a version of a resource. */
export interface Validators {
  /** The strong entity tag, with its quotes. */
  etag: string
  /** ms since the epoch; undefined where it is unknown. */
  modifiedMs: number | undefined
}

/**
 * Evaluates the conditions of a GET or HEAD request (RFC 9110, 13.2.2): whether to send the resource, to say that the
 * client's copy is current (304), or that the condition has failed (412).
 */
export function checkPreconditions(
  headers: IncomingHttpHeaders,
  version: Validators,
): 'send' | 'not_modified' | 'failed' {
  const match = headers['if-match']
  if (match !== undefined) {
    if (!listsTag(match, version.etag)) return 'failed'
  } else if (isLater(version, headers['if-unmodified-since']) === true) return 'failed'

  const noneMatch = headers['if-none-match']
  // For reading, a weak tag of the same bytes is as good.
  if (noneMatch !== undefined) {
    return listsTag(noneMatch.replaceAll('W/', ''), version.etag) ? 'not_modified' : 'send'
  }
  return isLater(version, headers['if-modified-since']) === false ? 'not_modified' : 'send'
}

/** Whether If-Range names this version, so that a part of it fits to what the client has. True without the header. */
export function isRangeCurrent(ifRange: string | undefined, version: Validators): boolean {
  if (ifRange === undefined) return true
  if (/^(?:W\/)?"/.test(ifRange)) return ifRange === version.etag
  return seconds(version.modifiedMs) === Date.parse(ifRange)
}

function listsTag(list: string, etag: string): boolean {
  return list.trim() === '*' || list.split(',').some((tag) => tag.trim() === etag)
}

/** Whether the version is later than a date; null where either is unknown or invalid. */
function isLater({ modifiedMs }: Validators, date: string | undefined): boolean | null {
  const limitMs = Date.parse(date ?? '')
  return modifiedMs === undefined || Number.isNaN(limitMs) ? null : seconds(modifiedMs) > limitMs
}

/** Dates of HTTP have whole seconds. */
const seconds = (ms: number | undefined): number => Math.floor((ms ?? Number.NaN) / 1_000) * 1_000
