import { createHash, createHmac } from 'node:crypto'
import { listCookies } from '@earshot/core/protocol/cookies'
import { isSameSecret, newToken } from '../crypto/tokens.ts'

/** The cookie of a device on which an account has signed in. */
const deviceCookie = 'earshot.device'

const deviceIdBytes = 12
const cookieLifetimeS = 365 * 24 * 60 * 60

/**
 * Recognises the devices on which an account has signed in, by a signed cookie: strangers who guess at the account use
 * up the attempts of unknown devices only, and lock nobody out (OWASP: device cookies).
 */
export interface KnownDevices {
  /** Returns the id of the device that sent the cookies, if this account has signed in on it; null otherwise. */
  find(cookies: string | undefined, email: string): string | null
  /** Returns the `Set-Cookie` line for a device on which an account signs in. */
  remember(email: string): string
}

export function createKnownDevices(secret: string, isSecure: boolean): KnownDevices {
  const sign = (deviceId: string, email: string): string =>
    createHmac('sha256', secret)
      .update(`device\n${deviceId}\n${emailDigest(email)}`)
      .digest('base64url')
  const attributes = `Max-Age=${cookieLifetimeS}; Path=/api/auth; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    find(cookies, email) {
      for (const { name, value } of listCookies(cookies)) {
        if (name !== deviceCookie) continue
        const [, deviceId = '', signature = ''] = /^([\w-]+)\.([\w-]+)$/.exec(value) ?? []
        if (deviceId !== '' && isSameSecret(signature, sign(deviceId, email))) return deviceId
      }
      return null
    },
    remember(email) {
      const deviceId = newToken(deviceIdBytes)
      return `${deviceCookie}=${deviceId}.${sign(deviceId, email)}; ${attributes}`
    },
  }
}

/** Hashes an email: it may have any length, and counters must not store personal data. */
export function emailDigest(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')
}
