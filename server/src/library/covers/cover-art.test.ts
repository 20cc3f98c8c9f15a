import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { LibraryFile } from '../../db/library-files.ts'
import { makeFolder, writeIn } from '../../../test/folders.ts'
import { makeWav, tinyPng } from '../../../test/wav.ts'
import { createCoverArt, type CoverFile } from './cover-art.ts'
import { readContent } from '../scan/file-content.ts'
import { toFoundTrack } from '../scan/track-rows.ts'

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
    const file = { path, size: content.length, modifiedAt: 1, coverPath, coverVersion }
    return toFoundTrack('lib_one', file, await readContent(musicDir, file)).file
  }
  const pass = (ms: number): void => void (nowMs += ms)
  return { musicDir, coversDir, covers, store, pass }
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
    expect(found[0]).toEqual({ root: coversDir, path: file.fingerprint, mimeType: 'image/png' })
    expect(found[1]).toEqual(found[0])
    expect(await read(found[2]!)).toEqual(tinyPng)
    expect(await readdir(coversDir)).toEqual([file.fingerprint])
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
      [96, 640, 96].map((size) => `${file.fingerprint}-${size}`),
    )
    await rm(join(musicDir, 'one.wav'))
    expect(await covers.find(file, 320)).toMatchObject({ root: coversDir, mimeType: 'image/webp' })

    await writeIn(musicDir, 'damaged/cover.png', tinyPng.subarray(0, 40))
    const damaged = await store('damaged/two.wav', makeWav({ seed: 2 }), 'damaged/cover.png')
    expect(await covers.find(damaged, 96)).toMatchObject({ path: 'damaged/cover.png', mimeType: 'image/png' })
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
