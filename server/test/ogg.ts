/** Writes Ogg pages (RFC 3533). */

interface Packet {
  bytes: Buffer
  duration: number
}

const maxSegments = 255
const packetsPerPage = 50

/**
 * Each header has a page of its own, which every reader accepts; the audio follows. Its positions begin at `start`, as where
 * the beginning was cut off without encoding it anew.
 */
export function oggPages(headers: Buffer[], packets: Packet[], start = 0): Buffer[] {
  const pages: Buffer[] = []
  const add = (bodies: Buffer[], granule: number, flags: number) =>
    pages.push(makePage(bodies, granule, flags, pages.length))
  for (const [index, header] of headers.entries()) add([header], 0, index === 0 ? 2 : 0)

  let granule = start
  let bodies: Buffer[] = []
  let segments = 0
  for (const { bytes, duration } of packets) {
    const needed = Math.floor(bytes.length / 255) + 1
    if (segments + needed > maxSegments || bodies.length >= packetsPerPage) {
      add(bodies, granule, 0)
      bodies = []
      segments = 0
    }
    bodies.push(bytes)
    segments += needed
    granule += duration
  }
  add(bodies, granule, 4)
  return pages
}

function makePage(bodies: Buffer[], granule: number, flags: number, sequence: number): Buffer {
  const lacing = bodies.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / 255) }, () => 255),
    length % 255,
  ])
  const head = Buffer.alloc(27)
  head.write('OggS', 'latin1')
  head[5] = flags
  head.writeBigInt64LE(BigInt(granule), 6)
  head.writeUInt32LE(1, 14)
  head.writeUInt32LE(sequence, 18)
  head[26] = lacing.length
  const page = Buffer.concat([head, Buffer.from(lacing), ...bodies])
  page.writeUInt32LE(crc32(page), 22)
  return page
}

const table = Uint32Array.from({ length: 256 }, (_, value) => {
  let crc = value << 24
  for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0)
  return crc >>> 0
})

function crc32(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) crc = ((crc << 8) ^ (table[(crc >>> 24) ^ byte] ?? 0)) >>> 0
  return crc
}
