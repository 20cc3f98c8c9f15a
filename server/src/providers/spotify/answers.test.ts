import type { Image, SimplifiedPlaylist, Track } from '@spotify/web-api-ts-sdk'
import { trackSchema } from '@earshot/core/protocol/entities'
import { playlistSchema } from '@earshot/core/protocol/providers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readEntry, readPlaylist, readTrack } from './answers.ts'

const image = (width: number): Image => ({ url: `https://i.scdn.co/image/${width}`, width, height: width })

/** A track as the published types describe it, with the fields that are read. */
const track = {
  id: '4uLU6hMCjMI75M1A2tKUQC',
  uri: 'spotify:track:4uLU6hMCjMI75M1A2tKUQC',
  type: 'track',
  name: 'Tea for Three',
  duration_ms: 200_500,
  is_local: false,
  artists: [{ name: 'Copper Kettle' }, { name: 'DJ Halogen' }],
  album: { name: 'Kitchen Sessions', images: [image(640), image(300), image(64)] },
  external_ids: { isrc: 'QZEAR2500015', ean: '', upc: '' },
} satisfies Partial<Omit<Track, 'artists' | 'album'>> & {
  artists: Pick<Track['artists'][number], 'name'>[]
  album: Pick<Track['album'], 'name' | 'images'>
}

const hostile = 'a\u0000b\u0007 \u202egnp.exe\ud800'

describe('a track of the Web API', () => {
  it('15.42 has texts without control characters, which PostgreSQL could not store', () => {
    const album = { name: hostile, images: [] }
    const read = readTrack({ ...track, name: hostile, artists: [{ name: hostile }], album })
    for (const text of [read?.title, read?.artist, read?.album]) expect(text).toBe('a b   gnp.exe\ufffd')
    const list = { id: 'p1', name: hostile, owner: { display_name: hostile.repeat(500) } }
    expect(readPlaylist(list)?.name).toBe('a b   gnp.exe\ufffd')
    expect(readPlaylist(list)?.ownerName?.length).toBeLessThanOrEqual(500)
  })

  it('7.12a is read as a track, with the cover nearest to the size that is shown', () => {
    expect(readTrack(track)).toEqual({
      id: 'spotify:4uLU6hMCjMI75M1A2tKUQC',
      title: 'Tea for Three',
      artist: 'Copper Kettle, DJ Halogen',
      album: 'Kitchen Sessions',
      duration: 200_500,
      source: 'spotify',
      albumArt: 'https://i.scdn.co/image/300',
      album_art: 'https://i.scdn.co/image/300',
      url: 'https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC',
      uri: 'spotify:track:4uLU6hMCjMI75M1A2tKUQC',
      isrc: 'QZEAR2500015',
    })
  })

  it.each([
    ['album', { album: undefined }, { album: '', albumArt: null }],
    ['images', { album: { name: 'A', images: null } }, { album: 'A', albumArt: null }],
    [
      'sizes of images',
      { album: { images: [{ url: 'https://a.example/1' }, { url: 'x' }] } },
      { albumArt: 'https://a.example/1' },
    ],
    [
      'safe address of its image',
      { album: { images: [{ url: 'javascript:alert(1)', width: 300 }] } },
      { albumArt: null },
    ],
    ['artists', { artists: [null, {}, { name: 'Only' }] }, { artist: 'Only' }],
    ['external_ids', { external_ids: 'none' }, { artist: 'Copper Kettle, DJ Halogen' }],
    ['id, which its uri holds', { id: null }, { id: 'spotify:4uLU6hMCjMI75M1A2tKUQC' }],
    ['duration', { duration_ms: null }, { duration: 180_000, duration_unknown: true }],
    [
      'unknown duration although it is 180 s',
      { duration_ms: 180_000 },
      { duration: 180_000, duration_unknown: false },
    ],
    ['short name', { name: 'x'.repeat(900) }, { title: 'x'.repeat(500) }],
  ])('is read without its %s', (_, changes, expected) => {
    expect(readTrack({ ...track, ...changes })).toMatchObject(expected)
  })

  it.each([
    null,
    undefined,
    7,
    [],
    {},
    { ...track, name: '' },
    { ...track, id: '../me', uri: null },
    { ...track, id: null, uri: 3 },
  ])('is dropped if it is %j', (item) => {
    expect(readTrack(item)).toBeNull()
  })

  it('never breaks the contract, whatever Spotify answers', () => {
    const noise = fc.dictionary(
      fc.constantFrom(...Object.keys(track), 'is_playable', 'item', 'track'),
      fc.oneof(fc.jsonValue(), fc.constant(track)),
    )
    fc.assert(
      fc.property(noise, (changes) => {
        const read = readTrack({ ...track, ...changes })
        const entry = readEntry(changes)
        const playlist = readPlaylist({ id: 'p', ...changes })
        expect(trackSchema.nullable().safeParse(read).success).toBe(true)
        expect(trackSchema.safeParse('track' in entry ? entry.track : readTrack(track)).success).toBe(true)
        expect(playlistSchema.nullable().safeParse(playlist).success).toBe(true)
      }),
    )
  })
})

describe('a playlist of the Web API', () => {
  const playlist = {
    id: 'p1',
    name: 'Mix',
    images: [image(60)],
    owner: { display_name: 'Paula' },
  } satisfies Partial<Omit<SimplifiedPlaylist, 'owner'>> & {
    owner: Pick<SimplifiedPlaylist['owner'], 'display_name'>
  }

  it.each([
    [{ items: { href: '', total: 3 } }, 3],
    [{ tracks: { href: '', total: 4 } }, 4],
    [{}, null],
    [{ items: null, tracks: 'many' }, null],
  ])('7.12b is read with %j', (changes, trackCount) => {
    expect(readPlaylist({ ...playlist, ...changes })).toEqual({
      id: 'p1',
      source: 'spotify',
      name: 'Mix',
      trackCount,
      image: 'https://i.scdn.co/image/60',
      ownerName: 'Paula',
    })
  })
})

describe('an entry of a playlist', () => {
  it.each([
    ['item', { item: track }],
    ['track', { track, item: null }],
    [
      'item although it names a restriction',
      { item: { ...track, is_playable: true, restrictions: { reason: 'x' } } },
    ],
    ['item with an empty restriction', { item: { ...track, restrictions: {} } }],
  ])('7.12b is read from %s', (_, entry) => {
    expect(readEntry(entry)).toMatchObject({ track: { title: 'Tea for Three' } })
  })

  it.each([
    [{ is_local: true, item: track }, "A file on its owner's device"],
    [{ item: { ...track, type: 'episode' } }, 'A podcast episode'],
    [{ item: { ...track, is_playable: false } }, 'Not available in your country'],
    [{ item: { ...track, restrictions: { reason: 'market' } } }, 'Not available in your country'],
    [{ item: { ...track, restrictions: { reason: 'product' } } }, 'Not available with your Spotify account'],
    [{ item: { ...track, id: '', uri: '' } }, 'No longer available on Spotify'],
    [{ item: null, track: null }, 'No longer available on Spotify'],
    [null, 'No longer available on Spotify'],
  ])('7.12b that cannot be queued says why', (entry, reason) => {
    expect(readEntry(entry)).toMatchObject({ reason })
  })
})
