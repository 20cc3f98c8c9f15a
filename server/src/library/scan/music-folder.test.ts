import { chmod, mkdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asOrdinaryUser, makeFolder, writeIn } from '../../../test/folders.ts'
import { tinyPng } from '../../../test/wav.ts'
import { coverMaxBytes } from '../file-types.ts'
import { type AudioFile, type LibraryProblem, listFolder, MusicFolderError } from './music-folder.ts'

interface Listing {
  files: AudioFile[]
  problems: LibraryProblem[]
  unreadable: string[]
}

/** Lists a folder and all folders below it. */
async function listMusicFolder(musicDir: string, folder = ''): Promise<Listing> {
  const { files, problems, subfolders, isReadable } = await listFolder(musicDir, folder)
  const listing: Listing = { files, problems, unreadable: isReadable ? [] : [folder] }
  for (const subfolder of subfolders) {
    const below = await listMusicFolder(musicDir, subfolder)
    listing.files.push(...below.files)
    listing.problems.push(...below.problems)
    listing.unreadable.push(...below.unreadable)
  }
  listing.files.sort((a, b) => (a.path < b.path ? -1 : 1))
  return listing
}

async function listPaths(folder: string): Promise<string[]> {
  const { files } = await listMusicFolder(folder)
  return files.map((file) => file.path)
}

describe('listing the music folder', () => {
  it('15.51 reports audio that no browser plays, once a folder and format', async () => {
    const folder = await makeFolder()
    const paths = [
      'A/two.WMA',
      'A/one.wma',
      'A/three.wma',
      'A/four.ape',
      'A/five.flac',
      'six.dsf',
      'seven.txt',
    ]
    for (const path of paths) await writeIn(folder, path, 'x')
    const { files, problems } = await listMusicFolder(folder)
    expect(files.map((file) => file.path)).toEqual(['A/five.flac'])
    const convert = 'convert them to FLAC, MP3, AAC, Opus or WAV'
    expect(problems.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'A/four.ape', reason: `Browsers cannot play .ape files: ${convert}` },
      {
        path: 'A/one.wma',
        reason: `Browsers cannot play .wma files (and 2 more in this folder): ${convert}`,
      },
      { path: 'six.dsf', reason: `Browsers cannot play .dsf files: ${convert}` },
    ])
  })

  it('15.132 reports files that are protected or have another name than the library looks for', async () => {
    const folder = await makeFolder()
    for (const path of ['a.m4p', 'b.aax', 'c.mp4', 'd.MP4', 'e.mpga', 'f.jpg'])
      await writeIn(folder, path, 'x')
    const { problems } = await listMusicFolder(folder)
    expect(problems.map(({ reason }) => reason).toSorted()).toEqual([
      '.aax files are copy-protected: get them without protection from their shop',
      '.m4p files are copy-protected: get them without protection from their shop',
      '.mp4 files are taken for videos (and 1 more in this folder): rename those without a picture to .m4a',
      '.mpga files are not looked for: rename them to .mp3',
    ])
  })

  it('finds every kind of audio file at any depth, and nothing else', async () => {
    const folder = await makeFolder()
    const audio = [
      'A/one.opus',
      'A/B/two.OGG',
      'b.mp3',
      'c.m4a',
      'd.aac',
      'e.flac',
      'f.wav',
      'g.webm',
      'h.oga',
      'i.m4b',
      'j.mka',
    ]
    const others = [
      '.hidden.mp3',
      '.trash/gone.mp3',
      'A/.x/y.mp3',
      'notes.txt',
      'mp3',
      'list.m3u',
      'h.mp3.part',
    ]
    for (const path of [...audio, ...others]) await writeIn(folder, path, 'x')
    expect(await listPaths(folder)).toEqual(audio.toSorted())
  })

  it('returns size and modification time', async () => {
    const folder = await makeFolder()
    await writeIn(folder, 'one.mp3', '12345')
    await utimes(join(folder, 'one.mp3'), 1_700_000_000.5, 1_700_000_000.5)
    const { files } = await listMusicFolder(folder)
    const expected = {
      path: 'one.mp3',
      size: 5,
      modifiedAt: 1_700_000_000_500,
      changedAt: Math.floor((await stat(join(folder, 'one.mp3'))).ctimeMs),
      coverPath: null,
      coverVersion: null,
    }
    expect(files).toEqual([expected])
  })

  it('16.110 reports files and folders whose names are not UTF-8, as those of old archives', async () => {
    const folder = await makeFolder()
    await writeIn(folder, 'real.mp3', 'x')
    const latin1 = (name: string): Buffer =>
      Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')])
    await writeFile(latin1('Bj\xf6rk.mp3'), 'x')
    await mkdir(latin1('Sigur R\xf3s'))
    const { files, problems } = await listMusicFolder(folder)
    expect(files.map((file) => file.path)).toEqual(['real.mp3'])
    const reason = 'A name that is not UTF-8 cannot be read: rename it'
    expect(problems).toHaveLength(2)
    expect(problems).toContainEqual({ path: 'Bj\uFFFDrk.mp3', reason })
    expect(problems).toContainEqual({ path: 'Sigur R\uFFFDs', reason })
  })

  it('follows no links, and reports broken ones and those out of the folder', async () => {
    const folder = await makeFolder()
    const outside = await makeFolder()
    await writeIn(outside, 'secret.mp3', 'x')
    await writeIn(folder, 'real.mp3', 'x')
    await symlink(join(folder, 'real.mp3'), join(folder, 'again.mp3'))
    await symlink(join(outside, 'secret.mp3'), join(folder, 'out.mp3'))
    await symlink(outside, join(folder, 'outside'))
    await symlink(join(folder, 'nothing'), join(folder, 'nowhere.mp3'))
    const listing = await listMusicFolder(folder)
    expect(listing.files.map((file) => file.path)).toEqual(['real.mp3'])
    const reasons = Object.fromEntries(listing.problems.map(({ path, reason }) => [path, reason]))
    const out = expect.stringContaining('out of the music folder')
    expect(reasons).toEqual({ 'nowhere.mp3': 'This link leads nowhere', 'out.mp3': out, outside: out })
  })

  it('accepts a link as the folder itself', async () => {
    const real = await makeFolder()
    const parent = await makeFolder()
    await writeIn(real, 'a/one.mp3', 'x')
    await symlink(real, join(parent, 'music'))
    expect(await listPaths(join(parent, 'music'))).toEqual(['a/one.mp3'])
  })

  it('finds the cover image of a folder, if it is a readable image', async () => {
    const folder = await makeFolder()
    for (const album of ['plain', 'fake', 'none']) await writeIn(folder, `${album}/one.mp3`, 'x')
    await writeIn(folder, 'plain/Cover.JPG', tinyPng)
    await writeIn(folder, 'fake/cover.jpg', '<svg/>')
    await writeIn(folder, 'fake/folder.png', tinyPng)
    await writeIn(folder, 'none/back.jpg', tinyPng)
    const { files, problems } = await listMusicFolder(folder)
    expect(Object.fromEntries(files.map((file) => [file.path, file.coverPath]))).toEqual({
      'plain/one.mp3': 'plain/Cover.JPG',
      'fake/one.mp3': 'fake/folder.png',
      'none/one.mp3': null,
    })
    expect(problems.map((problem) => problem.path)).toEqual(['fake/cover.jpg'])
  })

  it('15.120 takes no notice of what storage devices keep of deleted files', async () => {
    const folder = await makeFolder()
    for (const path of ['#recycle', '@Recycle/x', '$RECYCLE.BIN', '#snapshot/day', 'A/@eaDir', 'A', '#1'])
      await writeIn(folder, `${path}/one.mp3`, 'x')
    expect(await listPaths(folder)).toEqual(['#1/one.mp3', 'A/one.mp3'])
  })

  it('15.129 lists a folder also while its cover is replaced', async () => {
    const folder = await makeFolder()
    await writeIn(folder, 'one.mp3', 'x')
    const replacing = new AbortController()
    const replaced = (async () => {
      while (!replacing.signal.aborted) {
        await writeIn(folder, 'cover.png', tinyPng)
        await rm(join(folder, 'cover.png'))
      }
    })()
    const covers = new Set<string | null | undefined>()
    const list = async (): Promise<void> => {
      for (let count = 0; count < 500 || covers.size < 2; count += 1)
        covers.add((await listFolder(folder, '')).files[0]?.coverPath)
    }
    await list().finally(() => replacing.abort())
    await replaced
    expect(covers).toEqual(new Set(['cover.png', null]))
  })

  it('15.131 finds the cover of an album above the folders of its discs, unless these have their own', async () => {
    const folder = await makeFolder()
    for (const disc of ['CD1', 'cd 2', 'Disc 03 - Live', 'Disk_4', 'CDs'])
      await writeIn(folder, `Album/${disc}/one.mp3`, 'x')
    await writeIn(folder, 'Album/cover.png', tinyPng)
    await writeIn(folder, 'Album/Disk_4/cover.png', tinyPng)
    const { files, problems } = await listMusicFolder(folder)
    expect(files.map((file) => file.coverPath)).toEqual([
      'Album/cover.png',
      null,
      'Album/cover.png',
      'Album/Disk_4/cover.png',
      'Album/cover.png',
    ])
    expect(problems).toEqual([])
  })

  it('16.320 an image of more than 20 MB is no cover, and listed among the problems', async () => {
    const folder = await makeFolder()
    await writeIn(folder, 'one.mp3', 'sound')
    await writeIn(folder, 'cover.png', Buffer.concat([tinyPng], coverMaxBytes + 1))
    await writeIn(folder, 'front.png', tinyPng)
    expect(await listFolder(folder, '')).toMatchObject({
      files: [{ path: 'one.mp3', coverPath: 'front.png' }],
      problems: [{ path: 'cover.png', reason: 'This cover has more than 20 MB, so it is not shown' }],
    })
  })

  it('continues where a subfolder cannot be read', async () => {
    const folder = await makeFolder()
    await writeIn(folder, 'open/one.mp3', 'x')
    await writeIn(folder, 'locked/two.mp3', 'x')
    await chmod(folder, 0o755)
    await chmod(join(folder, 'locked'), 0)
    const listing = await asOrdinaryUser(() => listMusicFolder(folder))
    expect(listing.files.map((file) => file.path)).toEqual(['open/one.mp3'])
    expect(listing.unreadable).toEqual(['locked'])
    expect(listing.problems).toEqual([{ path: 'locked', reason: expect.stringContaining('EACCES') }])
  })

  it('skips and reports a name that could be read as a path', async () => {
    const folder = await makeFolder()
    await writeIn(folder, 'AC\\DC.mp3', 'x')
    const { files, problems } = await listMusicFolder(folder)
    expect(files).toEqual([])
    expect(problems).toEqual([{ path: 'AC\\DC.mp3', reason: expect.stringContaining('backslash') }])
  })

  it('throws with the reason where the folder is missing or not a folder', async () => {
    const folder = await makeFolder()
    await writeIn(folder, 'file', 'x')
    await expect(listMusicFolder(join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(listMusicFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(listMusicFolder(join(folder, 'file'))).rejects.toThrow(MusicFolderError)
  })
})
