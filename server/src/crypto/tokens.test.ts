import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { hashToken, isSameSecret, newToken } from './tokens.ts'

it('a token is stored as its SHA-256 and compared whatever the lengths', () => {
  const token = newToken(16)
  expect(token).toMatch(/^[\w-]{22}$/)
  expect(newToken(16)).not.toBe(token)
  expect(hashToken(token)).toBe(createHash('sha256').update(token).digest('base64url'))
  expect(isSameSecret(token, token)).toBe(true)
  for (const other of ['', token.slice(1), `${token} `, newToken(16)])
    expect(isSameSecret(other, token)).toBe(false)
})
