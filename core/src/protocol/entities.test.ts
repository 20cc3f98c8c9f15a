import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { makeTrack } from '../testing/tracks.ts'
import {
  commandNameSchema,
  memberSchema,
  messageSchema,
  playbackStateSchema,
  profileSchema,
  queueEntrySchema,
  roomSchema,
  sourceSchema,
  trackSchema,
} from './entities.ts'

const words = (text: string): string[] => text.split(' ')
const keysOf = (schema: z.ZodObject): string[] => Object.keys(schema.shape)
const state = {
  is_playing: true,
  current_position: 1_000,
  timestamp: 1_700_000_000_000,
  track_id: 'a',
  sequence_number: 101,
  sender_id: 'owner',
  duration: 200_000,
  source: 'library',
}

describe('the entities on the wire', () => {
  it('3.1a, 3.1b a room has its fields, with owner and current track', () => {
    expect(keysOf(roomSchema)).toEqual(
      expect.arrayContaining([
        ...words('id name owner_id is_public is_playing current_position last_updated current_track_id'),
        ...words('listeners playback_state created_at owner currentTrack'),
      ]),
    )
    expect(keysOf(roomSchema.shape.owner)).toEqual(['username', 'avatar_url'])
  })

  it('3.1c a room has no password', () => {
    expect(keysOf(roomSchema).filter((key) => /password/i.test(key))).toEqual([])
  })

  it('3.2 a track has its fields; url and uri may be missing', () => {
    const track = makeTrack('a')
    expect(trackSchema.parse(track)).toEqual(track)
    expect(trackSchema.parse({ ...track, url: 'https://x.example', uri: 'spotify:track:1' })).toMatchObject({
      uri: 'spotify:track:1',
    })
    for (const key of ['id', 'title', 'artist', 'album', 'duration', 'source', 'albumArt', 'album_art']) {
      const { [key as keyof typeof track]: _missing, ...rest } = track
      expect(trackSchema.safeParse(rest).success).toBe(false)
    }
  })

  it('17.485 a track may state its loudness, in finite numbers that make sense', () => {
    const stated = { ...makeTrack('a'), gain_db: -7.54, peak: 1.02, album_gain_db: -6, album_peak: 1.1 }
    expect(trackSchema.parse(stated)).toEqual(stated)
    const entry = { ...stated, entry_id: 'e1', position: 0, added_by: null }
    expect(queueEntrySchema.parse(entry)).toEqual(entry)
    for (const wrong of [
      { gain_db: 41 },
      { gain_db: -41 },
      { gain_db: -Infinity },
      { gain_db: NaN },
      { peak: 0 },
      { peak: 11 },
      { album_gain_db: 41 },
      { album_peak: 0 },
    ])
      expect(trackSchema.safeParse({ ...stated, ...wrong }).success).toBe(false)
  })

  it('3.3 a queue entry is a track with an entry id, a position from 0, and the user who added it', () => {
    const entry = { ...makeTrack('a'), entry_id: 'e1', position: 0, added_by: 'guest' }
    expect(queueEntrySchema.parse(entry)).toEqual(entry)
    expect(queueEntrySchema.safeParse({ ...entry, position: -1 }).success).toBe(false)
    expect(queueEntrySchema.safeParse({ ...entry, position: 0.5 }).success).toBe(false)
  })

  it('3.5, 3.6a, 3.9 messages, profiles and members have their fields', () => {
    expect(keysOf(messageSchema)).toEqual(
      expect.arrayContaining(['id', 'room_id', 'user_id', 'username', 'avatar_url', 'content', 'created_at']),
    )
    expect(keysOf(profileSchema)).toEqual(
      expect.arrayContaining(
        words(
          'id username full_name avatar_url preferred_source spotify_connected youtube_connected match_elsewhere',
        ),
      ),
    )
    expect(keysOf(profileSchema).filter((key) => /token/i.test(key))).toEqual([])
    expect(keysOf(memberSchema)).toEqual(['id', 'username', 'avatar_url', 'is_owner', 'is_guest'])
  })

  it('3.8 a playback state has its fields, and its timestamp may lie in the future', () => {
    expect(playbackStateSchema.parse(state)).toEqual(state)
    expect(playbackStateSchema.safeParse({ ...state, timestamp: 9_000_000_000_000 }).success).toBe(true)
    const marks = ['is_command', 'command', 'force_sync', 'initialJoin', 'is_seek_operation', 'manual_seek']
    expect(keysOf(playbackStateSchema)).toEqual(expect.arrayContaining([...marks, 'is_position_update']))
  })

  it.each([
    { current_position: -1 },
    { current_position: Infinity },
    { sequence_number: 1.5 },
    { track_id: 7 },
  ])('refuses a playback state with %j', (wrong) => {
    expect(playbackStateSchema.safeParse({ ...state, ...wrong }).success).toBe(false)
  })

  it('3.13a unknown sources and commands are refused', () => {
    expect(sourceSchema.options.toSorted()).toEqual(['library', 'spotify', 'youtube'])
    expect(commandNameSchema.options.toSorted()).toEqual(['next', 'pause', 'play', 'previous', 'seek'])
    expect(sourceSchema.safeParse('radio').success).toBe(false)
    expect(commandNameSchema.safeParse('stop').success).toBe(false)
  })
})
