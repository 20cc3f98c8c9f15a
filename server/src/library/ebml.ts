/** Returns the length of a variable-length integer of EBML from its first byte (RFC 8794, 4); 9 for none. */
export const vintLength = (first: number): number => Math.clz32(first) - 23

export const readUnsigned = (bytes: Uint8Array): number =>
  bytes.reduce((value, byte) => value * 256 + byte, 0)

/** Reads the size that an element states; null where it states none. Without its marker, so that eight bytes are exact. */
export function readSize(bytes: Uint8Array): number | null {
  const withoutMarker = Uint8Array.from(bytes)
  withoutMarker[0] = (bytes[0] ?? 0) & (0xff >> bytes.length)
  const size = readUnsigned(withoutMarker)
  return size === 2 ** (7 * bytes.length) - 1 ? null : size
}
