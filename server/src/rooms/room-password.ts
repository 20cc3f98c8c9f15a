import { type BinaryLike, type ScryptOptions, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { hashInTurn } from '../crypto/password-work.ts'

const derive = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt)
const cost = { N: 16_384, r: 8, p: 1 }
const keyLength = 32

/** Hashes with scrypt and a salt of its own: `scrypt:N:r:p:salt:hash`. */
export async function hashRoomPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await hashInTurn(() => derive(normalise(password), salt, keyLength, cost))
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join(':')
}

/** Compares in constant time. Resolves to false for a stored value in another format. */
export async function verifyRoomPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = stored.split(':')
  if (scheme !== 'scrypt' || !salt || !hash) return false
  const expected = Buffer.from(hash, 'base64url')
  const storedCost = { N: Number(N), r: Number(r), p: Number(p) }
  const actual = await hashInTurn(() =>
    derive(normalise(password), Buffer.from(salt, 'base64url'), expected.length, storedCost),
  )
  return timingSafeEqual(actual, expected)
}

/** The form trims new passwords, and keyboards differ in how they compose accents. */
function normalise(password: string): string {
  return password.trim().normalize('NFKC')
}
