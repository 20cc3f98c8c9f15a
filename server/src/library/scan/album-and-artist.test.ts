import { expect, it } from 'vitest'
import { albumAndArtistOf } from './album-and-artist.ts'

const tags = { artist: 'Ann', albumArtist: 'Ann', album: 'Sea', year: null }

it('17.71 names that differ in case and accents are one album and one artist', () => {
  const one = albumAndArtistOf({ ...tags, albumArtist: 'BJÖRK', album: 'SEA' })
  const other = albumAndArtistOf({ ...tags, albumArtist: 'Bjork', album: 'Sea' })
  expect(one.album?.id).toBe(other.album?.id)
  expect(one.artist?.id).toBe(other.artist?.id)
})

it('17.71 a file without an album is under its own artist, one without both under nothing', () => {
  expect(albumAndArtistOf({ ...tags, album: ' ', albumArtist: 'Various Artists' })).toMatchObject({
    album: null,
    artist: { name: 'Ann' },
  })
  expect(albumAndArtistOf({ ...tags, album: '', artist: '' })).toEqual({ album: null, artist: null })
})

it('17.71 an album without an artist is listed, under no artist', () => {
  const { album, artist } = albumAndArtistOf({ ...tags, albumArtist: '', artist: '' })
  expect(artist).toBeNull()
  expect(album).toMatchObject({ title: 'Sea', artist: '', artist_id: null })
})

it('17.70 a leading article is not sorted by, unless it is the whole name', () => {
  const sortText = (name: string) => albumAndArtistOf({ ...tags, albumArtist: name }).artist?.sort_text
  expect(sortText('The Cure')).toBe('cure')
  expect(sortText('A')).toBe('a')
  expect(sortText('Thea')).toBe('thea')
})

it('17.71 albums sort by year, those without one last', () => {
  const key = (year: number | null) => albumAndArtistOf({ ...tags, year }).album?.release_text ?? ''
  expect([key(null), key(2001), key(987)].toSorted()).toEqual([key(987), key(2001), key(null)])
})
