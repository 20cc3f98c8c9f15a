import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const version = 'v1'
const keyBytes = 32
const keyIdBytes = 6
const nonceBytes = 12
const tagBytes = 16

interface SealerParts {
  /** The server's secret, with which texts are sealed. */
  secret: string
  /** Secrets that the server had before: texts that they sealed can still be opened. */
  previousSecrets: readonly string[]
  /** The kind of texts, for example `spotify-tokens`. Each purpose has a key of its own. */
  purpose: string
}

interface OpenedText {
  text: string
  /** A previous secret sealed it: seal it again. */
  isStale: boolean
}

/** Encrypts texts at rest (decision 037). `owner` is part of the seal: another owner's row cannot be opened. */
export interface TextSealer {
  seal(text: string, owner: string): string
  /** Returns null for a text that is damaged, or that no known secret sealed for this owner. */
  open(sealed: string, owner: string): OpenedText | null
}

interface Key {
  /** Identifies the secret that sealed a text, and reveals nothing else. */
  id: string
  key: Buffer
}

/** Creates a sealer (AES-256-GCM, keys derived by HKDF). Sealed texts are printable: `v1.key.nonce.ciphertext`. */
export function createTextSealer({ secret, previousSecrets, purpose }: SealerParts): TextSealer {
  const current = deriveKey(secret, purpose)
  const keys = new Map(
    [...previousSecrets.map((previous) => deriveKey(previous, purpose)), current].map((key) => [key.id, key]),
  )
  return {
    seal: (text, owner) => encrypt(text, owner, current),
    open(sealed, owner) {
      const [given, keyId = '', nonce = '', data = '', ...rest] = sealed.split('.')
      const key = keys.get(keyId)
      if (given !== version || rest.length > 0 || !key) return null
      const text = decrypt({ key, owner, nonce: toBytes(nonce), data: toBytes(data) })
      return text === null ? null : { text, isStale: key.id !== current.id }
    },
  }
}

function deriveKey(secret: string, purpose: string): Key {
  const derive = (use: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `earshot:${purpose}:${use}`, length))
  return { id: derive('key-id', keyIdBytes).toString('base64url'), key: derive('key', keyBytes) }
}

function encrypt(text: string, owner: string, { id, key }: Key): string {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(owner))
  const data = Buffer.concat([sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()])
  return [version, id, nonce.toString('base64url'), data.toString('base64url')].join('.')
}

function decrypt(sealed: { key: Key; owner: string; nonce: Buffer; data: Buffer }): string | null {
  const { key, owner, nonce, data } = sealed
  if (nonce.length !== nonceBytes || data.length < tagBytes) return null
  const opening = createDecipheriv(cipher, key.key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(owner))
    .setAuthTag(data.subarray(-tagBytes))
  try {
    return Buffer.concat([opening.update(data.subarray(0, -tagBytes)), opening.final()]).toString('utf8')
  } catch {
    return null
  }
}

const toBytes = (text: string): Buffer => Buffer.from(text, 'base64url')
