import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { makeFolder } from '../../../test/folders.ts'
import { writeOldTrack } from '../../../test/music.ts'
import { prepareScans } from '../../../test/scans.ts'
import { listAlbumsByTitle, listAlbumTracks } from '../../db/catalogue/library-browse.ts'
import { searchLibraryFiles } from '../../db/catalogue/library-search.ts'
import type { AudioTags } from './audio-tags.ts'
import { tagsFromFolders } from './folder-tags.ts'

const untagged: AudioTags = {
  title: '01',
  artist: '',
  album: '',
  albumArtist: '',
  year: null,
  discNumber: null,
  trackNumber: 1,
  durationMs: 1_000,
  coverHash: null,
  gainDb: null,
  peak: null,
  albumGainDb: null,
  albumPeak: null,
}

describe('a file that states neither artist nor album', () => {
  it.each([
    ['Nina Simone/Wild Is the Wind/01.mp3', 'Nina Simone', 'Wild Is the Wind', null, null],
    ['music/Nina_Simone/Wild_Is_the_Wind/01.mp3', 'Nina Simone', 'Wild Is the Wind', null, null],
    ['Nina Simone/1966 - Wild Is the Wind/01.mp3', 'Nina Simone', 'Wild Is the Wind', 1966, null],
    ['Nina Simone/Wild Is the Wind (1966)/01.mp3', 'Nina Simone', 'Wild Is the Wind', 1966, null],
    [
      'Nina Simone/Nina Simone - Wild Is the Wind [1966]/1.mp3',
      'Nina Simone',
      'Wild Is the Wind',
      1966,
      null,
    ],
    ['Nina Simone - Wild Is the Wind/01.mp3', 'Nina Simone', 'Wild Is the Wind', null, null],
    ['Nina Simone/Live - In Paris/01.mp3', 'Nina Simone', 'Live - In Paris', null, null],
    ['Nina Simone/Wild Is the Wind/CD 2/01.mp3', 'Nina Simone', 'Wild Is the Wind', null, 2],
    ['Bedtime stories/01.mp3', '', 'Bedtime stories', null, null],
    ['1999/01.mp3', '', '1999', null, null],
    ['CD1/01.mp3', '', 'CD1', null, null],
    ['01.mp3', '', '', null, null],
  ])('17.468 is named by its folders: %s', (path, artist, album, year, discNumber) => {
    const tags = tagsFromFolders(untagged, path)
    expect(tags).toEqual({ ...untagged, artist, albumArtist: artist, album, year, discNumber })
  })

  it.each(['artist', 'album', 'albumArtist'])('is one without any %s', (name) => {
    const tags = { ...untagged, [name]: 'Stated' }
    expect(tagsFromFolders(tags, 'Nina Simone/Wild Is the Wind/01.mp3')).toBe(tags)
  })
})

describeDatabases('a folder of untagged files', (open) => {
  it('17.468 is an album, and is found by its names', async () => {
    const db = await open()
    const folder = await makeFolder()
    for (const [seed, path] of ['CD1/01.wav', 'CD2/01.wav', 'CD2/02.wav'].entries())
      await writeOldTrack(folder, `Ann/Quiet Songs/${path}`, { seed })
    await prepareScans(db, folder)()
    const albums = await listAlbumsByTitle(db, { after: null, limit: 9 })
    expect(albums).toMatchObject([{ title: 'Quiet Songs', artist: 'Ann' }])
    const tracks = await listAlbumTracks(db, albums[0]!.id, { after: null, limit: 9 })
    expect(tracks.map(({ track: { title, artist } }) => `${artist}: ${title}`)).toEqual([
      'Ann: 01',
      'Ann: 01',
      'Ann: 02',
    ])
    const { total } = await searchLibraryFiles(
      db,
      { phrase: 'quiet ann', words: ['quiet', 'ann'] },
      { offset: 0, limit: 9 },
    )
    expect(total).toBe(3)
  })
})
