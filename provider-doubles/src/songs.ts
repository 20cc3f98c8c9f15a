/** A song in the catalogues of both doubles, so that the same song can be found at each. All are invented. */
export interface Song {
  title: string
  artist: string
  album: string
  durationMs: number
  /** Null: the provider does not know it. */
  isrc: string | null
}

const artists = [
  ['Paper Lanterns', 'Slow Weather', ['Harbour Lights', 'Winter Postcards', 'Borrowed Umbrella', 'Low Tide']],
  ['The Night Ferry', 'Departures', ['Midnight Crossing', 'Salt and Diesel', 'Last Boat Home', 'Fog Signal']],
  [
    'Mara Lindqvist',
    'Glass Houses',
    ['Ordinary Sunday', 'Glass Houses', 'Forget the Map', 'Kind of Blue Sky'],
  ],
  ['Copper Kettle', 'Kitchen Sessions', ['Sugar Sugar Moon', 'Boiling Point', 'Tea for Three', 'Steam']],
  ['DJ Halogen', 'Afterglow', ['Neon Rain', 'Afterglow', 'Sodium Streets', 'Strobe Lullaby']],
  ['Orchard Choir', 'Seasons', ['First Frost', 'Apple Hymn', 'Blossom', 'Long Shadows']],
  ['Señor Café', 'Mañana', ['Corazón de Papel', 'Mañana', 'Luz y Sombra', 'El Último Tren']],
  ['Tiny Telescope', 'Orbit', ['Apogee', 'Satellite Heart', 'Perigee', 'Dark Side Picnic']],
  ['Velvet Static', 'Noise Floor', ['Carrier Wave', 'Hum', 'Feedback Garden', 'White Room Waltz']],
] as const

/** 36 songs of 2:00 to 4:55. */
const ordinarySongs: Song[] = artists.flatMap(([artist, album, titles], row) =>
  titles.map((title, column) => {
    const number = row * 4 + column
    return {
      title,
      artist,
      album,
      durationMs: 120_000 + number * 5_000,
      isrc: `QZEAR25${String(number + 1).padStart(5, '0')}`,
    }
  }),
)

/** The songs, ordinary ones first; the last few are the edge cases. */
export const songs: readonly Song[] = [
  ...ordinarySongs,
  { title: 'Eight Seconds', artist: 'Test Tones', album: 'Lengths', durationMs: 8_000, isrc: 'QZEAR2590001' },
  {
    title: 'Half a Minute',
    artist: 'Test Tones',
    album: 'Lengths',
    durationMs: 30_000,
    isrc: 'QZEAR2590002',
  },
  {
    title: 'Twelve Minutes',
    artist: 'Test Tones',
    album: 'Lengths',
    durationMs: 720_000,
    isrc: 'QZEAR2590003',
  },
  { title: 'No Code', artist: 'Test Tones', album: 'Oddities', durationMs: 60_000, isrc: null },
  {
    title: `Tom & Jerry's "<b>Quoted</b>" Song 🎶`,
    artist: 'Test Tones',
    album: 'Oddities',
    durationMs: 61_000,
    isrc: 'QZEAR2590005',
  },
  {
    title: `A Very ${'Long, '.repeat(40)}Title`,
    artist: 'Test Tones',
    album: 'Oddities',
    durationMs: 62_000,
    isrc: 'QZEAR2590006',
  },
]
