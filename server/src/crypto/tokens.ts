import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Returns a random token, as it stands in links and cookies. */
export const newToken = (bytes: number): string => randomBytes(bytes).toString('base64url')

/** Hashes a token for storage, so that the database opens nothing. A token is random, so it needs no salt. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url')

/** Takes the same time wherever two texts differ, and whatever their lengths. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
}
