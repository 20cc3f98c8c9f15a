import { readDimensions } from './image-dimensions.ts'
import { decodeImage, encodeWebp } from './image-codecs.ts'
import { shrinkImage } from './shrink-image.ts'

/** Makes images smaller that users send. The server calls it in a thread of its own. */
export type ShrinkCalls = typeof shrinkCalls

/** Decoded they take 4 bytes a pixel, twice: a small file may have many. */
const decodedMaxPixels = 4_000_000

export const shrinkCalls = {
  /**
   * Shrinks a JPEG, PNG or WebP image until its longer side has `sidePx`, as WebP and without what the file tells besides
   * (where it was taken, by what). Null for other formats, and where it is damaged or has too many pixels.
   */
  async shrink({ image, sidePx }: { image: Uint8Array; sidePx: number }): Promise<Uint8Array | null> {
    const { width, height } = readDimensions(image) ?? { width: 0, height: 0 }
    if (width * height === 0 || width * height > decodedMaxPixels) return null
    const pixels = await decodeImage(image).catch(() => null)
    return pixels && (await encodeWebp(shrinkImage(pixels, sidePx)))
  },
}
