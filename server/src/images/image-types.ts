import { open } from 'node:fs/promises'

const imageSignatures: { mimeType: string; matches: (head: string) => boolean }[] = [
  { mimeType: 'image/jpeg', matches: (head) => head.startsWith('\xff\xd8\xff') },
  { mimeType: 'image/png', matches: (head) => head.startsWith('\x89PNG\r\n\x1a\n') },
  { mimeType: 'image/gif', matches: (head) => head.startsWith('GIF87a') || head.startsWith('GIF89a') },
  { mimeType: 'image/webp', matches: (head) => head.startsWith('RIFF') && head.startsWith('WEBP', 8) },
]

const signatureBytes = 12

/**
 * Returns the media type of an image by its first bytes; names and tags are not trusted. Null for formats that can
 * carry scripts (SVG, HTML) and for formats that not every browser draws.
 */
export function sniffImageType(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, signatureBytes)).toString('latin1')
  return imageSignatures.find(({ matches }) => matches(head))?.mimeType ?? null
}

/** Does the same for a file. Null also where the file cannot be read. */
export async function imageTypeOf(path: string): Promise<string | null> {
  try {
    await using file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(signatureBytes), 0, signatureBytes, 0)
    return sniffImageType(buffer.subarray(0, bytesRead))
  } catch {
    return null
  }
}
