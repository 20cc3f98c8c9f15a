import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { LibraryFile } from '../../db/catalogue/library-files.ts'
import { makeFolder, writeIn } from '../../../test/folders.ts'
import { chunk, makeWav, tinyPng } from '../../../test/wav.ts'
import { createCoverArt, type CoverFile } from './cover-art.ts'
import { readContent } from '../scan/file-content.ts'
import { toFoundTrack } from '../scan/track-rows.ts'
import { coverMaxBytes } from '../file-types.ts'
import { readDimensions } from '../../images/image-dimensions.ts'

async function openCovers() {
  const musicDir = await makeFolder()
  const coversDir = join(await makeFolder(), 'covers')
  let nowMs = 0
  const logger = pino({ level: 'silent' })
  const covers = createCoverArt({ musicDir, coversDir, logger, now: () => nowMs })
  onTestFinished(() => covers.close())
  const store = async (
    path: string,
    content: Buffer,
    coverPath: string | null = null,
  ): Promise<LibraryFile> => {
    await writeIn(musicDir, path, content)
    const coverVersion = coverPath === null ? null : '1'
    const file = { path, size: content.length, modifiedAt: 1, changedAt: 1, coverPath, coverVersion }
    return toFoundTrack('lib_one', file, await readContent(musicDir, file)).file
  }
  const pass = (ms: number): void => void (nowMs += ms)
  return { musicDir, coversDir, covers, store, pass }
}

/** Two pixels beside each other, which its EXIF turns by 90°. */
const turnedJpeg = Buffer.from(
  '/9j/4QAiRXhpZgAASUkqAAgAAAABABIBAwABAAAABgAAAAAAAAD/4AAQSkZJRgABAQAAAQABAAD/2wCEAAgICAgJCAkKCgkNDgwODRMREBARExwUFhQWFBwrGx8bGx8bKyYuJSMlLiZENS8vNUROQj5CTl9VVV93cXecnNEBCAgICAkICQoKCQ0ODA4NExEQEBETHBQWFBYUHCsbHxsbHxsrJi4lIyUuJkQ1Ly81RE5CPkJOX1VVX3dxd5yc0f/AABEIAAEAAgMBIgACEQEDEQH/xABbAAEBAAAAAAAAAAAAAAAAAAAABxABAAEFAAAAAAAAAAAAAAAAAAIDBDRzsQEBAQAAAAAAAAAAAAAAAAAABAcRAAECBwAAAAAAAAAAAAAAAAQAcwIDBTQ1sbL/2gAMAwEAAhEDEQA/AJFcZFbZLoC/07HhMS+UM28Kej2v/9k=',
  'base64',
)
const coverBytes = 500

/** A file with a cover where its fingerprint reads nothing: behind 64 kB, before its middle. */
function makeFarCover(cover: Buffer): Buffer {
  const padded = Buffer.concat([cover, Buffer.alloc(coverBytes - cover.length)])
  const wav = makeWav({ durationMs: 40_000, cover: padded })
  const dataAt = wav.indexOf('data')
  const coverAt = wav.indexOf('id3 ')
  const chunks = [wav.subarray(8, dataAt), chunk('JUNK', Buffer.alloc(70_000))]
  return chunk('RIFF', Buffer.concat([...chunks, wav.subarray(coverAt), wav.subarray(dataAt, coverAt)]))
}

const read = (cover: CoverFile | null): Promise<Buffer> => readFile(join(cover!.root, cover!.path))

describe('the cover of a track', () => {
  it('is extracted from its file once, and then cached', async () => {
    const { musicDir, coversDir, covers, store } = await openCovers()
    const file = await store('one.wav', makeWav({ cover: tinyPng, coverMimeType: 'text/html' }))
    const found = await Promise.all([
      covers.find(file, null),
      covers.find(file, null),
      covers.find(file, null),
    ])
    expect(found[0]).toEqual({ root: coversDir, path: file.cover_version, mimeType: 'image/png' })
    expect(found[1]).toEqual(found[0])
    expect(await read(found[2]!)).toEqual(tinyPng)
    expect(await readdir(coversDir)).toEqual([file.cover_version])
    await rm(join(musicDir, 'one.wav'))
    expect(await covers.find(file, null)).toEqual(found[0])
  })

  it('is extracted again when the cache was deleted', async () => {
    const { coversDir, covers, store } = await openCovers()
    const file = await store('one.wav', makeWav({ cover: tinyPng }))
    await covers.find(file, null)
    await rm(coversDir, { recursive: true })
    expect(await read(await covers.find(file, null))).toEqual(tinyPng)
  })

  it('is the image in the folder where the file has none', async () => {
    const { musicDir, covers, store } = await openCovers()
    await writeIn(musicDir, 'album/cover.jpg', tinyPng)
    const file = await store('album/one.wav', makeWav(), 'album/cover.jpg')
    expect(file).toMatchObject({ has_art: 1, cover_path: 'album/cover.jpg' })
    const cover = await covers.find(file, null)
    expect(cover).toMatchObject({ path: 'album/cover.jpg', mimeType: 'image/png' })
    expect(await read(cover)).toEqual(tinyPng)
  })

  it('in the file takes precedence over the image in the folder', async () => {
    const { musicDir, covers, store } = await openCovers()
    await writeIn(musicDir, 'cover.jpg', Buffer.concat([tinyPng, Buffer.alloc(9)]))
    const file = await store('one.wav', makeWav({ cover: tinyPng }), 'cover.jpg')
    expect(await read(await covers.find(file, null))).toEqual(tinyPng)
  })

  it('is null where the image in the folder is no longer an image, or is a link out of the folder', async () => {
    const { musicDir, covers, store } = await openCovers()
    const outside = await makeFolder()
    await writeIn(musicDir, 'cover.png', tinyPng)
    const file = await store('one.wav', makeWav(), 'cover.png')
    await writeIn(
      musicDir,
      'cover.png',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    )
    expect(await covers.find(file, null)).toBeNull()
    await writeIn(outside, 'secret.png', tinyPng)
    await rm(join(musicDir, 'cover.png'))
    await symlink(join(outside, 'secret.png'), join(musicDir, 'cover.png'))
    expect(await covers.find(file, null)).toBeNull()
  })

  it('is null for a track without one, and for a deleted or damaged file', async () => {
    const { musicDir, covers, store } = await openCovers()
    expect(await covers.find(await store('plain.wav', makeWav()), null)).toBeNull()
    const file = await store('one.wav', makeWav({ cover: tinyPng }))
    await writeIn(musicDir, 'one.wav', 'damaged')
    expect(await covers.find(file, null)).toBeNull()
    await rm(join(musicDir, 'one.wav'))
    expect(await covers.find(file, null)).toBeNull()
  })

  it('13.20 is made smaller once, and the original where that fails', async () => {
    const { musicDir, coversDir, covers, store } = await openCovers()
    const file = await store('one.wav', makeWav({ cover: tinyPng }))
    const found = await Promise.all([covers.find(file, 96), covers.find(file, 640), covers.find(file, 96)])
    expect(found.map((cover) => cover?.path)).toEqual(
      [96, 640, 96].map((size) => `${file.cover_version}-${size}`),
    )
    await rm(join(musicDir, 'one.wav'))
    expect(await covers.find(file, 320)).toMatchObject({ root: coversDir, mimeType: 'image/webp' })

    await writeIn(musicDir, 'damaged/cover.png', tinyPng.subarray(0, 40))
    const damaged = await store('damaged/two.wav', makeWav({ seed: 2 }), 'damaged/cover.png')
    expect(await covers.find(damaged, 96)).toMatchObject({ path: 'damaged/cover.png', mimeType: 'image/png' })
  })

  it('16.320 is not served whole in place of a size where it is large, nor at all above 20 MB', async () => {
    const { musicDir, covers, store } = await openCovers()
    // Damaged, so it cannot be made smaller.
    const image = (bytes: number) => Buffer.concat([tinyPng.subarray(0, 40)], bytes)
    await writeIn(musicDir, 'cover.png', image(3 * 2 ** 20))
    const file = await store('one.wav', makeWav(), 'cover.png')
    expect(await covers.find(file, 96)).toBeNull()
    expect(await covers.find(file, null)).toMatchObject({ path: 'cover.png' })
    await writeIn(musicDir, 'cover.png', image(coverMaxBytes + 1))
    expect(await covers.find(file, null)).toBeNull()
  })

  it('13.25 is the original where it cannot be stored, and is made smaller a minute later', async () => {
    const { musicDir, coversDir, covers, store, pass } = await openCovers()
    await writeIn(musicDir, 'cover.png', tinyPng)
    const file = await store('one.wav', makeWav(), 'cover.png')
    await writeFile(coversDir, 'in the way')
    expect(await covers.find(file, 96)).toMatchObject({ path: 'cover.png' })
    await rm(coversDir)
    pass(59_000)
    expect(await covers.find(file, 96)).toMatchObject({ path: 'cover.png' })
    pass(1_000)
    expect(await covers.find(file, 96)).toMatchObject({ root: coversDir, mimeType: 'image/webp' })
  })

  it('15.128 is not looked for in a file again for a minute after none was found', async () => {
    const { musicDir, covers, store, pass } = await openCovers()
    const content = makeWav({ cover: tinyPng })
    const file = await store('one.wav', content)
    await writeIn(musicDir, 'one.wav', makeWav())
    expect(await covers.find(file, null)).toBeNull()
    await writeIn(musicDir, 'one.wav', content)
    pass(59_000)
    expect(await covers.find(file, null)).toBeNull()
    pass(1_000)
    expect(await read(await covers.find(file, null))).toEqual(tinyPng)
  })

  it('15.128 is looked for again at once where too many others waited', async () => {
    const { covers, store } = await openCovers()
    const file = await store('one.wav', makeWav({ cover: tinyPng }))
    const files = Array.from({ length: 260 }, (_, index) => ({ ...file, cover_version: `version-${index}` }))
    const found = await Promise.all(files.map((each) => covers.find(each, null)))
    const refused = files.filter((_, index) => found[index] === null)
    expect(refused).not.toEqual([])
    for (const each of refused) expect(await covers.find(each, null)).not.toBeNull()
  })

  it('15.127 is upright in all sizes where a camera stored it turned', async () => {
    const { musicDir, covers, store } = await openCovers()
    await writeIn(musicDir, 'folder.jpg', turnedJpeg)
    expect(readDimensions(turnedJpeg)).toEqual({ width: 2, height: 1 })
    const cover = await covers.find(await store('one.wav', makeWav(), 'folder.jpg'), 96)
    expect(readDimensions(await read(cover))).toEqual({ width: 1, height: 2 })
  })

  it('15.130 has another address where only the cover differs, behind what identifies the file', async () => {
    const { covers, store } = await openCovers()
    // Between the blocks at the start, in the middle and at the end.
    const contents = [tinyPng, turnedJpeg].map((cover) => makeFarCover(cover))
    const files: LibraryFile[] = []
    for (const content of contents) {
      const file = await store('one.wav', content)
      files.push(file)
      expect((await read(await covers.find(file, null))).length).toBe(coverBytes)
    }
    expect(files[0]!.fingerprint).toBe(files[1]!.fingerprint)
    expect(files[0]!.cover_version).not.toBe(files[1]!.cover_version)
  })

  it('13.21 is null where the image is too large even for browsers', async () => {
    const { musicDir, covers, store } = await openCovers()
    const bomb = Buffer.from(tinyPng)
    bomb.writeUInt32BE(50_000, 16)
    bomb.writeUInt32BE(50_000, 20)
    await writeIn(musicDir, 'cover.png', bomb)
    const file = await store('one.wav', makeWav(), 'cover.png')
    expect(await covers.find(file, 96)).toBeNull()
    expect(await covers.find(file, 640)).toBeNull()
  })
})
