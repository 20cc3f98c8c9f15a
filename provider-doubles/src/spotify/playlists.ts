import { catalogue, toSpotifyId } from './catalogue.ts'

/** An entry of a playlist. `gone`: the track has left the catalogue, so that the API answers null. */
export type PlaylistEntry =
  | { kind: 'track'; trackId: string }
  | { kind: 'episode'; name: string }
  | { kind: 'local'; name: string }
  | { kind: 'gone' }

export interface DoublePlaylist {
  id: string
  name: string
  ownerId: string
  isCollaborative: boolean
  entries: PlaylistEntry[]
}

const tracks = (from: number, to: number): PlaylistEntry[] =>
  catalogue.slice(from, to).map(({ id }) => ({ kind: 'track', trackId: id }))

/** The playlists of a user by default: ordinary, mixed, long (120 entries) and empty. */
export function defaultPlaylists(ownerId: string): DoublePlaylist[] {
  const own = (name: string, entries: PlaylistEntry[]): DoublePlaylist => ({
    id: toSpotifyId(`playlist ${ownerId} ${name}`),
    name,
    ownerId,
    isCollaborative: false,
    entries,
  })
  const mixed: PlaylistEntry[] = [
    ...tracks(4, 7),
    { kind: 'gone' },
    { kind: 'episode', name: 'Episode 12: How Records Are Pressed' },
    { kind: 'local', name: 'Demo Tape (My Computer)' },
    ...tracks(21, 22),
    ...tracks(33, 34), // 'Hum', which cannot be played
    ...tracks(4, 5), // a second time
  ]
  return [
    own('Sunday Morning', tracks(0, 8)),
    own('Odds and Ends', mixed),
    own('Everything', Array.from({ length: 120 }, (_, index) => tracks(index % 36, (index % 36) + 1)).flat()),
    own('Empty', []),
  ]
}
