import { open } from 'node:fs/promises'

const signatures: { mimeType: string; begins: (head: string) => boolean }[] = [
  { mimeType: 'image/jpeg', begins: (head) => head.startsWith('\xff\xd8\xff') },
  { mimeType: 'image/png', begins: (head) => head.startsWith('\x89PNG\r\n\x1a\n') },
  { mimeType: 'image/gif', begins: (head) => head.startsWith('GIF87a') || head.startsWith('GIF89a') },
  { mimeType: 'image/webp', begins: (head) => head.startsWith('RIFF') && head.startsWith('WEBP', 8) },
]

const signatureBytes = 12

/**
 * What an image is by its first bytes, whatever its name or the tag around it says. Null for everything that a
 * browser might do more with than draw it (SVG, HTML) and for formats that not every browser draws.
 */
export function sniffImageType(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, signatureBytes)).toString('latin1')
  return signatures.find(({ begins }) => begins(head))?.mimeType ?? null
}

/** The same of a file. Null also where it cannot be read. */
export async function imageTypeOf(path: string): Promise<string | null> {
  try {
    await using file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(signatureBytes), 0, signatureBytes, 0)
    return sniffImageType(buffer.subarray(0, bytesRead))
  } catch {
    return null
  }
}
