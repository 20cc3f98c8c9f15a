import { sniffImageType } from './image-types.ts'

interface Dimensions {
  width: number
  height: number
}

/**
 * Reads the dimensions of an image from its header, without decoding it: a file of some kilobytes may decode to
 * gigabytes. Null where the header is damaged.
 */
export function readDimensions(bytes: Uint8Array): Dimensions | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    switch (sniffImageType(bytes)) {
      case 'image/png':
        return { width: view.getUint32(16), height: view.getUint32(20) }
      case 'image/gif':
        return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
      case 'image/jpeg':
        return readJpeg(view)
      case 'image/webp':
        return readWebp(view)
      default:
        return null
    }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Searches the segments for the start of the frame: SOF0 to SOF15, without DHT, JPG and DAC, which are in between. */
function readJpeg(view: DataView): Dimensions | null {
  const notFrames = [0xc4, 0xc8, 0xcc]
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1)
    if (marker >= 0xc0 && marker <= 0xcf && !notFrames.includes(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    }
    // Fill bytes may precede a marker.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return null
}

/** Reads the header of the first chunk: extended, lossless or lossy. */
function readWebp(view: DataView): Dimensions | null {
  const chunk = String.fromCharCode(...[12, 13, 14, 15].map((at) => view.getUint8(at)))
  if (chunk === 'VP8X') return { width: readUint24(view, 24) + 1, height: readUint24(view, 27) + 1 }
  if (chunk === 'VP8L') {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  if (chunk !== 'VP8 ') return null
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
}

function readUint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000
}
