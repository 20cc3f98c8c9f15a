import { limits } from '@earshot/core/limits'

/** Twice what the server stores: it shrinks more finely than a browser does. */
const sidePx = 2 * limits.profilePictureSidePx
/** Even noise then has fewer bytes than the server takes. */
const jpegQuality = 0.85

/**
 * Returns the middle of an image file, a square, as JPEG in base64: small enough to be sent, and without what the file tells
 * besides. Rejects where the browser cannot read it.
 */
export async function readPicture(file: Blob): Promise<string> {
  const bitmap = await createImageBitmap(file)
  const side = Math.min(bitmap.width, bitmap.height)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = sidePx
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The browser draws no canvas')
  // Under what is transparent, which JPEG shows black.
  context.fillStyle = 'white'
  context.fillRect(0, 0, sidePx, sidePx)
  context.imageSmoothingQuality = 'high'
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2]
  context.drawImage(bitmap, left, top, side, side, 0, 0, sidePx, sidePx)
  bitmap.close()
  return canvas.toDataURL('image/jpeg', jpegQuality).replace(/^[^,]*,/, '')
}
