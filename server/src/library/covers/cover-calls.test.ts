import { readdir, readFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '@earshot/core/limits'
import { describe, expect, it } from 'vitest'
import { makeFolder, writeIn } from '../../../test/folders.ts'
import { makeWav, tinyPng } from '../../../test/wav.ts'
import { sniffImageType } from '../../images/image-types.ts'
import { createCoverCalls } from './cover-calls.ts'
import { decodeImage, encodeWebp } from '../../images/image-codecs.ts'
import { readDimensions } from '../../images/image-dimensions.ts'
import { type Pixels, shrinkImage } from '../../images/shrink-image.ts'

/** An image with a red left half and a blue right half. */
function makePixels(width: number, height: number): Pixels {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let at = 0; at < data.length; at += 4) {
    const isLeft = (at / 4) % width < width / 2
    data.set(isLeft ? [200, 0, 0, 255] : [0, 0, 200, 255], at)
  }
  return { width, height, data }
}

function pixelAt({ data, width }: Pixels, x: number, y: number): number[] {
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]
}

async function openCalls(maxBytes = 1e9) {
  const folder = await makeFolder()
  const coversDir = join(folder, 'covers')
  return { folder, coversDir, calls: createCoverCalls({ coversDir, maxBytes }) }
}

/** A PNG that claims to have these dimensions. */
function claimPng(width: number, height: number): Buffer {
  const png = Buffer.from(tinyPng)
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  return png
}

describe('the sizes of a cover', () => {
  it('13.20 are 96, 320 and 640 pixels, made at once, with the proportions of the original', async () => {
    const { folder, coversDir, calls } = await openCalls()
    await writeIn(folder, 'cover.webp', await encodeWebp(makePixels(1_200, 600)))
    const source = { path: join(folder, 'cover.webp'), isAudio: false, key: 'one' }
    expect(await calls.render(source)).toBe('rendered')
    expect((await readdir(coversDir)).toSorted()).toEqual(['one-320', 'one-640', 'one-96'])
    for (const size of limits.coverSizesPx) {
      const bytes = await readFile(join(coversDir, `one-${size}`))
      expect(readDimensions(bytes)).toEqual({ width: size, height: size / 2 })
      const pixels = (await decodeImage(bytes))!
      const [red = 0, , blue = 0] = pixelAt(pixels, 4, 4)
      expect(red).toBeGreaterThan(150)
      expect(blue).toBeLessThan(50)
    }
  })

  it('13.20 are made of the cover in an audio file', async () => {
    const { folder, coversDir, calls } = await openCalls()
    await writeIn(folder, 'one.wav', makeWav({ cover: tinyPng }))
    expect(await calls.render({ path: join(folder, 'one.wav'), isAudio: true, key: 'one' })).toBe('rendered')
    const bytes = await readFile(join(coversDir, 'one-96'))
    expect(sniffImageType(bytes)).toBe('image/webp')
    expect(readDimensions(bytes)).toEqual({ width: 1, height: 1 })
  })

  it('13.21 are not made of an image whose decoding would take too much memory', async () => {
    const { folder, coversDir, calls } = await openCalls()
    const render = async (bytes: Uint8Array): Promise<string> => {
      await writeIn(folder, 'cover.png', bytes)
      return calls.render({ path: join(folder, 'cover.png'), isAudio: false, key: 'bomb' })
    }
    expect(await render(claimPng(50_000, 50_000))).toBe('refused')
    expect(await render(claimPng(8_000, 8_000))).toBe('refused')
    expect(await render(claimPng(6_000, 6_000))).toBe('unsupported')
    expect(await render(claimPng(0, 10))).toBe('unsupported')
    expect(await render(Buffer.from('GIF89a\u0001\u0000\u0001\u0000', 'latin1'))).toBe('unsupported')
    expect(await render(Buffer.alloc(30 * 1024 * 1024))).toBe('unsupported')
    expect(await render(tinyPng.subarray(0, 40))).toBe('unsupported')
    await expect(readdir(coversDir)).rejects.toThrow('ENOENT')
  })

  it('13.22 are removed, the oldest first, when they take more space than they may', async () => {
    const { folder, coversDir, calls } = await openCalls(2_000)
    await writeIn(folder, 'cover.png', tinyPng)
    for (let index = 10; index < 40; index += 1) {
      await calls.render({ path: join(folder, 'cover.png'), isAudio: false, key: `cover-${index}` })
      for (const name of await readdir(coversDir)) {
        const madeAt = Number(name.split('-')[1])
        await utimes(join(coversDir, name), madeAt, madeAt)
      }
    }
    const left = await readdir(coversDir)
    expect(left).toContain('cover-39-96')
    expect(left).not.toContain('cover-10-640')
    const sizes = await Promise.all(left.map(async (name) => (await readFile(join(coversDir, name))).length))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(2_000)
  })
})

describe('the dimensions of an image', () => {
  it.each(['', 'ffd8', 'ffd8ffe0', 'ffd8ffc00011', '89504e470d0a1a0a00', '474946383961'])(
    'of the damaged header %s are unknown',
    (hex) => {
      expect(readDimensions(Buffer.from(hex, 'hex'))).toBeNull()
    },
  )

  it('of a JPEG are in its frame, behind other segments', () => {
    const jpeg = Buffer.from('ffd8ffe00004aaaaffffc4000412ffffffc2000b0802580320030000', 'hex')
    jpeg.set([0xff, 0xc4, 0x00, 0x04, 0x00, 0x00], 8)
    const frame = Buffer.from('ffc2000b0802580320', 'hex')
    expect(readDimensions(Buffer.concat([jpeg.subarray(0, 14), frame]))).toEqual({ width: 800, height: 600 })
  })
})

describe('shrinking an image', () => {
  it('averages areas, also where pixels do not align', () => {
    const small = shrinkImage(makePixels(10, 10), 4)
    expect([small.width, small.height]).toEqual([4, 4])
    expect([0, 1, 2, 3].map((x) => pixelAt(small, x, 1))).toEqual([
      [200, 0, 0, 255],
      [200, 0, 0, 255],
      [0, 0, 200, 255],
      [0, 0, 200, 255],
    ])
    expect(pixelAt(shrinkImage(makePixels(10, 10), 1), 0, 0)).toEqual([100, 0, 100, 255])
  })

  it('takes no colour from transparent pixels, and never enlarges', () => {
    const pixels = { width: 2, height: 1, data: new Uint8ClampedArray([90, 60, 30, 255, 255, 255, 255, 0]) }
    expect(pixelAt(shrinkImage(pixels, 1), 0, 0)).toEqual([90, 60, 30, 128])
    expect(shrinkImage(pixels, 96)).toBe(pixels)
  })

  it('keeps one pixel of the shorter side', () => {
    const { width, height } = shrinkImage(makePixels(2_000, 2), 96)
    expect([width, height]).toEqual([96, 1])
  })
})
