/** Returns 128 random bits in hexadecimal. Unlike `randomUUID`, available on plain http too. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
