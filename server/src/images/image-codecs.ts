import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { sniffImageType } from './image-types.ts'
import type { Pixels } from './shrink-image.ts'

const { resolve } = createRequire(import.meta.url)

/** Reads a codec's WebAssembly; the codecs themselves would fetch it over HTTP. */
async function readWasm(path: string): Promise<Buffer> {
  return readFile(resolve(path))
}

/** Each codec is loaded when it is first needed. */
const decoders: Record<string, () => Promise<(bytes: ArrayBuffer) => Promise<Pixels>>> = {
  'image/jpeg': once(async () => {
    const { default: decode, init } = await import('@jsquash/jpeg/decode.js')
    await init({ wasmBinary: await readWasm('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm') })
    // Browsers turn it as its EXIF says; the smaller sizes have none.
    return (bytes) => decode(bytes, { preserveOrientation: true })
  }),
  'image/png': once(async () => {
    const { default: decode, init } = await import('@jsquash/png/decode.js')
    await init(await readWasm('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))
    return decode
  }),
  'image/webp': once(async () => {
    const { default: decode, init } = await import('@jsquash/webp/decode.js')
    await init({ wasmBinary: await readWasm('@jsquash/webp/codec/dec/webp_dec.wasm') })
    return decode
  }),
}

const encoder = once(async () => {
  const { default: encode, init } = await import('@jsquash/webp/encode.js')
  await init({ wasmBinary: await readWasm('@jsquash/webp/codec/enc/webp_enc_simd.wasm') })
  return encode
})

/** Decodes a JPEG, PNG or WebP image. Null for other formats. Throws where the image is damaged. */
export async function decodeImage(bytes: Uint8Array): Promise<Pixels | null> {
  const load = decoders[sniffImageType(bytes) ?? '']
  if (!load) return null
  const decode = await load()
  return decode(new Uint8Array(bytes).buffer)
}

/** `method` 2 is twice as fast as the default, 4, for files some percent larger. */
const encoding = { quality: 80, method: 2 }

export async function encodeWebp(pixels: Pixels): Promise<Uint8Array> {
  const encode = await encoder()
  return new Uint8Array(await encode({ ...pixels, colorSpace: 'srgb' }, encoding))
}

function once<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let loading: Promise<Result> | null = null
  return () => (loading ??= load())
}
